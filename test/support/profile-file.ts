import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a configuration whose one profile, `own`, is a sandbox at this address. */
export async function writeProfile(folder: string, baseUrl: string): Promise<void> {
	const own = { baseUrl, environment: "sandbox", auth: { kind: "login" }, settings: {} };
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await writeFile(join(folder, "profiles.json"), JSON.stringify({ current: "own", profiles: { own } }), { mode: 0o600 });
}
