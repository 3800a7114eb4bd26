/**
 * Two machines: two homes, each with its own login, configuration and journal, and one sandbox that lets two corporates have one externalId.
 */
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect } from "vitest";
import { program, words } from "../support/built.js";
import { confirmed } from "../support/companies.js";
import { logInWords } from "../support/log-in.js";
import { type Cases, everybody, startCases } from "./onboard-cases.js";
import { environment } from "./service.js";

/** Slow answers, and lists that lag behind. */
export const slowAndLate = [
	"corporate.create=duplicates",
	"corporate.create=delay:0.5:150ms",
	"related.create=delay:0.5:80ms",
	"corporate.list=delay:0.5:80ms",
	"related.list=delay:0.5:40ms",
	"corporate.list=lag:600ms",
	"related.list=lag:300ms",
];

/** What one run of a case said. */
export interface Told {
	exit: number | undefined;
	said: string;
}

export interface Machines extends Cases {
	/** One run on one of the two machines. */
	on(machine: 0 | 1, argv: readonly string[]): ReturnType<typeof execa>;
	/** Applies a case on one of them to its end. */
	apply(machine: 0 | 1, place: number): Promise<Told>;
	/** Ids of what the sandbox has more than once of a case. */
	twins(place: number): string[][];
}

/** @param script another program than the one that is tested: its `bin/purser.js` */
export async function startMachines(count: number, faults: readonly string[], script?: string): Promise<Machines> {
	const cases = await startCases(count, faults);
	const homes = ["one", "other"].map((name) => environment(join(cases.folder, name)));
	const start = (machine: 0 | 1, argv: readonly string[], input?: string) =>
		execa(script === undefined ? program : process.execPath, script === undefined ? words([...argv]) : [script, ...argv], {
			env: homes[machine] as Record<string, string>,
			extendEnv: false,
			reject: false,
			...(input ? { input } : { stdin: "ignore" as const }),
		});
	const login = [...logInWords, "--base-url", cases.url];
	for (const machine of [0, 1] as const) {
		const { exitCode, stderr } = await start(machine, login, "sandbox-password");
		expect(exitCode, String(stderr)).toBe(0);
	}
	const { state } = cases.sandbox;
	return {
		...cases,
		on: start,
		apply: async (machine, place) => {
			const { exitCode, stdout, stderr } = await start(machine, ["onboard", "apply", ...confirmed, cases.files[place] as string, "--json"]);
			return { exit: exitCode, said: String(stdout) + String(stderr) };
		},
		twins: (place) => {
			const corporates = state.corporates.filter(({ fields }) => fields.externalId === `crm-${place}`).map(({ id }) => id);
			const persons = corporates.flatMap((corporate) =>
				everybody.map((name) =>
					state.related
						.filter(({ corporateId, accountOwner }) => corporateId === corporate && !accountOwner)
						.filter(({ fields }) => name === String(fields.corporateName ?? `${fields.firstName} ${fields.lastName}`))
						.map(({ id }) => id),
				),
			);
			return [corporates, ...persons].filter(({ length }) => length > 1);
		},
	};
}

/** Whether a run that did not end with 0 names every id of one of the twins. */
export const tells = ({ exit, said }: Told, twins: readonly string[][]): boolean =>
	exit !== 0 && twins.some((ids) => ids.every((id) => said.includes(id)));

/** The built program without the look after a creation: a copy in which no run watches what it created. */
export async function withoutLook(folder: string): Promise<string> {
	const root = fileURLToPath(new URL("../../", import.meta.url));
	for (const part of ["bin", "dist", "package.json"]) await cp(join(root, part), join(folder, part), { recursive: true });
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	const { stdout } = await execa("grep", ["-rl", "watch:settle?", join(folder, "dist")]);
	expect(stdout.split("\n")).toHaveLength(1);
	const text = await readFile(stdout, "utf8");
	const called = /watch:settle\?([\w$.]+\()/g;
	expect(text.match(called)).toHaveLength(1);
	await writeFile(stdout, text.replace(called, "watch:!1&&settle?$1"));
	return join(folder, "bin", "purser.js");
}
