import * as z from "zod/mini";
import { advice, adviceText, purser } from "../api/advice.js";
import { optionals } from "../api/answer.js";
import { type Answer, defineCommand } from "../cli/command.js";
import type { Context } from "../context.js";
import { type Advice, PurserError } from "../errors.js";
import { createSandbox } from "../sandbox/sandbox.js";
import { serve } from "../sandbox/server.js";
import { type TourStep, tourFiles, tourSteps } from "../sandbox/simulate/tour.js";

/** Milliseconds until the sandbox decides a KYB and settles a payment: long enough to show that somebody waits for it. */
const delays = { complianceTakes: 1500, settlementTakes: 1500 };

type Captured = Record<string, string>;

interface Ended {
	steps: number;
	seconds: number;
	corporate: { id?: string; kyb?: string };
	payments: readonly { kind: string; id?: string; status?: string }[];
}

/** A demo that ends otherwise than it should is a failure of its own. */
export const outcomeOf = ({ corporate, payments }: Ended): "bug" | undefined =>
	corporate.kyb === "VALIDATED" && payments.every(({ status }) => status === "APPROVED") ? undefined : "bug";

export const demoNext: readonly Advice[] = [
	{ ...purser`demo --verbose`, remark: "every command of it, with its output" },
	{ ...purser`sandbox serve --save-profile sandbox`, remark: advice`then, in another terminal: ${purser`ledger list`}` },
	purser`help exit-codes`,
];

export default defineCommand({
	path: "demo",
	summary: "Run the whole job, start to end, on a sandbox of its own",
	details:
		"Onboards a company through all eight steps and sends both kinds of payment. Each command is run as you would type it; you see what happened in each step, and with --verbose every command with its real output. The sandbox listens on a free port of this machine only; configuration and journal are kept in a temporary folder, and nothing is left behind.",
	examples: [
		{ run: "demo", note: "Watch it" },
		{ run: "demo --verbose", note: "With every command and its output" },
		{ run: "demo --json", note: "Only the summary, for a script" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({}),
	answer: () =>
		z.strictObject({
			...{ steps: z.number(), seconds: z.number(), corporate: z.strictObject(optionals(["id", "kyb"])) },
			payments: z.array(z.strictObject({ kind: z.string(), ...optionals(["id", "status"]) })),
		}),
	async run(context): Promise<Answer<Ended>> {
		const started = context.clock.monotonic();
		const folder = await context.files.temporary();
		const sandbox = createSandbox({ clock: context.clock, random: context.random, ...delays });
		const server = await serve(sandbox);
		try {
			await context.report.show(`A sandbox is listening on ${server.url} while this runs.\n`);
			const captured: Captured = { origin: server.url };
			const detailed = context.settings.flags.verbose === true;
			for (const [index, step] of tourSteps.entries()) {
				await runStep(context, step, { folder: folder.path, captured, number: index + 1, detailed });
				if (!detailed && step.done !== undefined) await context.report.show(`  ${fillIn(step.done, captured)}\n`);
			}
			const data: Ended = {
				steps: tourSteps.length,
				seconds: Math.round((context.clock.monotonic() - started) / 100) / 10,
				corporate: { id: captured.corporate, kyb: captured.kyb },
				payments: [
					{ kind: "ledger", id: captured.transfer, status: captured.transferStatus },
					{ kind: "beneficiary", id: captured.payment, status: captured.paymentStatus },
				],
			};
			return { data, exit: outcomeOf(data), next: demoNext };
		} finally {
			await server.close();
			await folder.remove();
		}
	},
	// What became of company and payments was said as it happened; their ids are gone with the sandbox.
	text: ({ steps, seconds }, style) => `\n${style.good(`Done: ${steps} commands in ${seconds} s, nothing left behind`)}`,
});

interface Position {
	folder: string;
	captured: Captured;
	number: number;
	/** Every command is shown with its output; otherwise only what happened. */
	detailed: boolean;
}

async function runStep(context: Context, step: TourStep, { folder, captured, number, detailed }: Position): Promise<void> {
	const show = detailed ? context.report.show : async () => {};
	const words = step.words.map((word) => fillIn(word, captured));
	if (step.title) await show(`\n# ${step.title}\n`);
	const file = words.includes("--file") ? words[words.indexOf("--file") + 1] : undefined;
	if (file) {
		const content = fillIn(tourFiles[file] as string, captured);
		await context.files.write(`${folder}/${file}`, content);
		await show(`\n$ cat ${file}\n${content}`);
	}
	const typed = adviceText(advice`${step.input?.typed}${purser`${words}`}`);
	await show(`\n$ ${typed}\n`);
	const argv = words.map((word) => (word === file ? `${folder}/${word}` : word));
	const ran = await context.system.processes.self(argv, { env: childEnvironment(context, folder), input: step.input?.text });
	if (detailed) await context.report.passOn(ran.both);
	if (ran.exit !== 0) throw stopError(context, typed, number, `it ended with exit code ${ran.exit} instead of 0`, ran.stderr);
	for (const [name, pattern] of Object.entries(step.keep ?? {})) {
		const found = pattern.exec(withoutColours(ran.stdout))?.slice(1).find(Boolean);
		if (found === undefined) throw stopError(context, typed, number, `its output has no ${name}`, ran.stderr);
		captured[name] = found;
	}
}

function fillIn(text: string, captured: Captured): string {
	return text.replace(/\{([a-z]+)\}/gi, (whole, name: string) => captured[name] ?? whole);
}

function withoutColours(text: string): string {
	return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
}

/** The current environment, but with a configuration of its own, without a keyring and without prompts. */
function childEnvironment(context: Context, folder: string): Record<string, string> {
	const { system } = context;
	const inherited = Object.entries(system.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("PURSER_"),
	);
	const colours: Record<string, string> = system.terminal.stdout.isTerminal && !system.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
	return {
		...Object.fromEntries(inherited),
		...colours,
		COLUMNS: String(system.terminal.stdout.columns),
		PURSER_CONFIG_DIR: `${folder}/config`,
		PURSER_STATE_DIR: `${folder}/state`,
		PURSER_NO_KEYRING: "1",
		PURSER_NO_INPUT: "1",
		// The output is shown to a person, although it goes through a pipe.
		PURSER_OUTPUT: "text",
	};
}

function stopError(context: Context, typed: string, number: number, why: string, errors: string): PurserError {
	if (context.signal.aborted)
		return new PurserError("interrupted", {
			code: "INTERRUPTED",
			message: "The demo was stopped; the sandbox and its temporary folder are gone",
			fix: advice`Run it again: ${purser`demo`}`,
		});
	return new PurserError("bug", {
		code: "DEMO_STOPPED",
		message: `The demo stopped at step ${number}, \`${typed}\`: ${why}`,
		why: withoutColours(errors).trim().split("\n").slice(-4).join(" / ") || undefined,
		fix: advice`${purser`demo --verbose`} shows every command with its output. Report it with the version: ${purser`--version`}`,
	});
}
