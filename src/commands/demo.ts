import * as z from "zod/mini";
import { advice, adviceText, purser } from "../api/advice.js";
import { optionals } from "../api/answer.js";
import { type Answer, defineCommand } from "../cli/command.js";
import type { Context } from "../context.js";
import { type Advice, PurserError } from "../errors.js";
import { createSandbox } from "../sandbox/sandbox.js";
import { serve } from "../sandbox/server.js";
import { operator } from "../sandbox/state.js";

/** Milliseconds until the sandbox decides a KYB and settles a payment: long enough to show that somebody waits for it. */
const delays = { complianceTakes: 1500, settlementTakes: 1500 };

/** A company that could exist. Every name and number is invented or reserved for examples. */
const caseFile = `version: "1"
corporate:
  externalId: crm-2041
  corporateName: Harbour Lights Catering SAS
  incorporationCountry: FRA
  incorporationCode: 000 000 000 00000
  industry: FOOD_RESTAURANT_CATERING
  registeredAddress: {isoCountryCode: FRA, city: Exampleville}
  expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}
accountOwner:
  firstName: Ada
  lastName: Example
  emailAddress: ada@example.com
  position: CEO
  isDirector: true
  phone: {countryCode: "+33", number: "639980001"}
companies:
  - {key: holding, corporateName: Harbour Holding BV, incorporationCountry: NLD, incorporationCode: "00000002"}
persons:
  - {key: grace, firstName: Grace, lastName: Sample, emailAddress: grace@example.com, isDirector: true}
  - {key: linus, firstName: Linus, lastName: Placeholder, emailAddress: linus@example.com, isUbo: true}
ownership:
  - {owner: accountOwner, owned: corporate, percentage: 25.5}
  - {owner: holding, owned: corporate, percentage: 74.5}
  - {owner: linus, owned: holding, percentage: 100}
terms: {version: "1.0", acceptedBy: Ada Example, acceptedAt: "2026-02-27T09:00:00Z"}
`;

interface Step {
	/** As typed after `purser`. */
	words: readonly string[];
	/** What happened in the chapter that ends with this step: the eight steps of onboarding, and the payments. */
	done: readonly string[];
}

/** @param line words between blanks; a quoted one may have some */
const step = (line: string, ...done: string[]): Step => ({
	words: [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
	done,
});

/** Every step, in order. `{origin}` is the sandbox's address, `{review}` the digest of the review. */
const steps: readonly Step[] = [
	step("profile add demo --base-url {origin} --username operator --partner-name example-partner"),
	step("auth login --password-stdin"),
	step("terms show", "1  Terms and conditions 1.0 read"),
	step(
		"onboard apply harbour.yaml --send-email-link --yes --confirmed-by account-owner",
		"2  Harbour Lights Catering SAS created with its account owner, terms accepted",
	),
	step("sandbox simulate email 'crm-2041/Ada Example'", "3  Owner's email verified: Ada Example opened the link"),
	step(`related tree crm-2041`, "4  Harbour Holding BV, Grace Sample and Linus Placeholder declared"),
	step(`corporate review crm-2041 --verbose`, "5  Due-diligence review read"),
	step(`kyb request crm-2041 --reviewed {review}`, "6  KYB requested"),
	step("onboard apply harbour.yaml --kyc-links --yes --confirmed-by account-owner"),
	...["Ada Example", "Grace Sample"].map((name) => step(`sandbox simulate kyc 'crm-2041/${name}'`)),
	step("sandbox simulate kyc 'crm-2041/Linus Placeholder'", "7  KYC links created, and all three persons identified"),
	step("phone send-code 'crm-2041/Ada Example'"),
	step("phone verify 'crm-2041/Ada Example' --code 123456", "8  Owner's phone verified with a code by SMS"),
	step(`kyb status crm-2041 --wait --wait-timeout 60`, "   KYB VALIDATED: the company can pay"),
	step(
		"pay ledger --from 'Operating account' --to Reserve --amount 10.10 --reference 'To the reserve' --yes --wait --wait-timeout 60",
		"   10.10 EUR from Operating account to Reserve: APPROVED",
	),
	step(
		"pay beneficiary --from 'Operating account' --to 'Example Wholesale Ltd' --amount 250.00 --reference 'Invoice 2041' --yes --wait",
		"   250.00 EUR to Example Wholesale Ltd: APPROVED",
	),
];

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
	examples: {
		demo: "Watch it",
		"demo --verbose": "With every command and its output",
		"demo --json": "Only the summary, for a script",
	},
	answer: () =>
		z.strictObject({
			...{ steps: z.number(), seconds: z.number(), corporate: z.strictObject(optionals(["id", "kyb"])) },
			payments: z.array(z.strictObject({ kind: z.string(), ...optionals(["id", "status"]) })),
		}),
	async run(context): Promise<Answer<Ended>> {
		const started = context.clock.monotonic();
		const folder = await context.files.temporary();
		const sandbox = createSandbox({ clock: context.clock, random: context.random, empty: true, ...delays });
		const server = await serve(sandbox);
		try {
			await context.report.show(`A sandbox is listening on ${server.url} while this runs.\n`);
			await context.files.write(`${folder.path}/harbour.yaml`, caseFile);
			const detailed = context.settings.flags.verbose === true;
			if (detailed) await context.report.show(`\n$ cat harbour.yaml\n${caseFile}`);
			const known: Known = { folder: folder.path, origin: server.url, detailed };
			for (const [index, { words, done }] of steps.entries()) {
				await runStep(context, words, index + 1, known);
				for (const line of detailed ? [] : done) await context.report.show(`  ${line}\n`);
			}
			const { corporates, transactions } = sandbox.state;
			const [corporate] = corporates;
			const data: Ended = {
				steps: steps.length,
				seconds: Math.round((context.clock.monotonic() - started) / 100) / 10,
				corporate: { id: corporate?.id, kyb: corporate?.kyb.status },
				payments: transactions.map(({ id, type, status }) => ({ kind: type === "BENEFICIARY" ? "beneficiary" : "ledger", id, status })),
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

interface Known {
	folder: string;
	origin: string;
	/** Every command is shown with its output; otherwise only what happened. */
	detailed: boolean;
	review?: string;
}

async function runStep(context: Context, words: Step["words"], number: number, known: Known): Promise<void> {
	const { folder, detailed } = known;
	const argv = words.map((word) => word.replace("{origin}", known.origin).replace("{review}", known.review ?? ""));
	const input = argv.includes("--password-stdin") ? operator.password : undefined;
	const typed = adviceText(advice`${input && `printf %s ${input} | `}${purser`${argv}`}`);
	if (detailed) await context.report.show(`\n$ ${typed}\n`);
	const ran = await context.system.processes.self(
		argv.map((word) => (word === "harbour.yaml" ? `${folder}/${word}` : word)),
		{ env: childEnvironment(context, folder), input },
	);
	if (detailed) await context.report.passOn(ran.both);
	if (ran.exit !== 0) throw stopError(context, typed, number, ran);
	known.review ??= /^Digest +([0-9a-f]{64})/m.exec(withoutColours(ran.stdout))?.[1];
}

function withoutColours(text: string): string {
	return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
}

/** The current environment, but with a configuration of its own, without a keyring and without prompts. */
function childEnvironment(context: Context, folder: string): Record<string, string> {
	const { system } = context;
	const inherited = Object.entries(system.env).filter(([name, value]) => value !== undefined && !name.startsWith("PURSER_"));
	return {
		...(Object.fromEntries(inherited) as Record<string, string>),
		...(system.terminal.stdout.isTerminal && !system.env.NO_COLOR && { FORCE_COLOR: "1" }),
		COLUMNS: String(system.terminal.stdout.columns),
		PURSER_CONFIG_DIR: `${folder}/config`,
		PURSER_STATE_DIR: `${folder}/state`,
		PURSER_NO_KEYRING: "1",
		PURSER_NO_INPUT: "1",
		// The output is shown to a person, although it goes through a pipe.
		PURSER_OUTPUT: "text",
	};
}

function stopError(context: Context, typed: string, number: number, { exit, stderr }: { exit: number; stderr: string }): PurserError {
	if (context.signal.aborted)
		return new PurserError("interrupted", {
			code: "INTERRUPTED",
			message: "The demo was stopped; the sandbox and its temporary folder are gone",
			fix: advice`Run it again: ${purser`demo`}`,
		});
	return new PurserError("bug", {
		code: "DEMO_STOPPED",
		message: `The demo stopped at step ${number}, \`${typed}\`: it ended with exit code ${exit} instead of 0`,
		why: withoutColours(stderr).trim().split("\n").slice(-4).join(" / ") || undefined,
		fix: advice`${purser`demo --verbose`} shows every command with its output. Report it with the version: ${purser`--version`}`,
	});
}
