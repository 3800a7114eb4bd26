import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { expect } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import { serve } from "../../src/sandbox/server.js";
import { environment, program } from "./service.js";

const everybody = ["Ada Example", "Example Base GmbH", "Example Middle BV", "Example Top Ltd", "Grace Sample", "Lin Muster"];

/** Lehmer's generator: the seed gives the same moments again. */
function fractions(start: number): () => number {
	let state = (start % 2147483646) + 1;
	return () => {
		state = (state * 48271) % 2147483647;
		return state / 2147483647;
	};
}

/**
 * Kills the real process of `onboard apply` at random moments, each in a case of its own, then applies all of them again.
 * @param kills how many
 * @param seed the same moments again, as fractions of one whole run
 */
export async function killApplies(kills: number, seed: number): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const sandbox = createSandbox({
		clock: { now: () => new Date() },
		chance: { uuid: () => crypto.randomUUID(), fraction: () => Math.random() },
		empty: true,
	});
	const served = await serve(sandbox);
	const env = environment(folder);
	const run = (argv: string[], input?: string) =>
		execa(process.execPath, [program, ...argv], {
			env,
			extendEnv: false,
			reject: false,
			...(input ? { input } : { stdin: "ignore" as const }),
		});
	try {
		const login = ["auth", "login", "--base-url", served.url, "--username", "operator", "--partner-name", "example-partner"];
		const logged = await run([...login, "--password-stdin"], "sandbox-password");
		expect(logged.exitCode, logged.stderr).toBe(0);
		const text = await readFile(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
		const files = await Promise.all(
			Array.from({ length: kills + 1 }, async (_, place) => {
				const file = join(folder, `case-${place}.yaml`);
				const own = text.replace("crm-layers", `crm-${place}`).replace("100 200 300", `code ${place}`);
				await writeFile(file, own);
				return file;
			}),
		);
		const started = performance.now();
		expect((await run(["onboard", "apply", files[kills] as string])).exitCode).toBe(0);
		const whole = performance.now() - started;

		const fraction = fractions(seed);
		const moments = Array.from({ length: kills }, () => fraction() * whole * 1.6);
		const one = async (place: number): Promise<void> => {
			const going = run(["onboard", "apply", files[place] as string]);
			await pause(moments[place]);
			going.kill("SIGKILL");
			await going;
		};
		for (let place = 0; place < kills; place += 2) await Promise.all([one(place), place + 1 < kills ? one(place + 1) : undefined]);

		const begun = sandbox.state.corporates.length;
		const again = await run(["onboard", "apply", ...files, "--settle-after", "1", "--json"]);
		expect(again.exitCode, again.stderr.slice(0, 2000)).toBe(0);
		for (const place of files.keys()) {
			const corporates = sandbox.state.corporates.filter(({ fields }) => fields.externalId === `crm-${place}`);
			expect(corporates, `crm-${place}, killed after ${moments[place]} ms`).toHaveLength(1);
			const related = sandbox.state.related.filter(({ corporateId }) => corporateId === corporates[0]?.id);
			const names = related.map(({ fields }) => String(fields.corporateName ?? `${fields.firstName} ${fields.lastName}`)).sort();
			expect(names, `crm-${place}, killed after ${moments[place]} ms`).toEqual(everybody);
		}
		// The moments were spread: some before anything was made, some in the middle.
		expect(begun).toBeGreaterThan(kills / 10);
		expect(begun).toBeLessThanOrEqual(kills + 1);
		const history = await run(["history", "list", "--json", "--limit", "99999"]);
		// Few kills may all fall elsewhere; of many, some fall between a request and its answer.
		if (kills >= 100) expect(history.stdout, "not one kill fell between a request and its answer").toContain('"evidence"');
		expect(JSON.parse((await run(["history", "verify", "--json"])).stdout).faults).toEqual([]);
	} finally {
		await served.close();
		await rm(folder, { recursive: true, force: true });
	}
}
