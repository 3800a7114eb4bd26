import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.js";
import { serve } from "../../src/sandbox/server.js";
import { parseFault } from "../../src/sandbox/simulate/faults.js";
import { environment } from "../support/built.js";
import { logInWords, operatorNames } from "../support/log-in.js";
import { started } from "./service.js";

/** Who is related to each company of {@link Cases.files}. */
export const everybody = ["Ada Example", "Example Base GmbH", "Example Middle BV", "Example Top Ltd", "Grace Sample", "Lin Muster"];

/** Real processes against a sandbox whose state the test can see, and many companies alike in case files. */
export interface Cases {
	sandbox: Sandbox;
	files: readonly string[];
	folder: string;
	/** @param more variables */
	run(argv: readonly string[], more?: Record<string, string>): ReturnType<typeof started>;
	/** Ids of the corporates of a case, and the sorted names of everybody related to the first. */
	made(place: number): { corporates: string[]; names: string[] };
	stop(): Promise<void>;
}

/** @param faults of the sandbox, such as `related.list=delay:50ms` */
export async function startCases(count: number, faults: readonly string[] = []): Promise<Cases> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const sandbox = createSandbox({
		clock: { now: () => new Date() },
		random: { uuid: () => crypto.randomUUID(), fraction: () => Math.random() },
		empty: true,
		faults: faults.map(parseFault),
	});
	const served = await serve(sandbox);
	const env = environment(folder);
	await started(["profile", "add", "sandbox", "--base-url", served.url, ...operatorNames], env);
	const logged = await started(logInWords, env, "sandbox-password");
	expect(logged.exitCode, logged.stderr).toBe(0);
	const text = await readFile(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
	const files = await Promise.all(
		Array.from({ length: count }, async (_, place) => {
			const file = join(folder, `case-${place}.yaml`);
			await writeFile(file, text.replace("crm-layers", `crm-${place}`).replace("100 200 300", `code ${place}`));
			return file;
		}),
	);
	return {
		sandbox,
		files,
		folder,
		run: (argv, more) => started(argv, { ...env, ...more }),
		made: (place) => {
			const corporates = sandbox.state.corporates.filter(({ fields }) => fields.externalId === `crm-${place}`).map(({ id }) => id);
			const related = sandbox.state.related.filter(({ corporateId }) => corporateId === corporates[0]);
			const names = related.map(({ fields }) => String(fields.corporateName ?? `${fields.firstName} ${fields.lastName}`)).sort();
			return { corporates, names };
		},
		stop: async () => {
			await served.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
