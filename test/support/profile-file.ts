import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a configuration whose one profile is a sandbox at this address. */
export async function writeProfile(folder: string, baseUrl: string, name = "own"): Promise<void> {
	const profile = { baseUrl, environment: "sandbox", auth: { kind: "login" }, settings: {} };
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await writeFile(join(folder, "profiles.json"), JSON.stringify({ current: name, profiles: { [name]: profile } }), { mode: 0o600 });
}
