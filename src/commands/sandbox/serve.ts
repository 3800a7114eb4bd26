import * as z from "zod/mini";
import { adviceText, purser } from "../../api/advice.js";
import { flag, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { recordGuards } from "../../payments/single/changing-guards.js";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { serve } from "../../sandbox/server.js";
import { parseFault } from "../../sandbox/simulate/faults.js";
import type { State } from "../../sandbox/state.js";
import { formatState, readStateFile } from "../../sandbox/state-file.js";
import { defineCommand } from "../../shell/command.js";

const port = field(
	z.string().check(z.refine((typed) => /^\d{1,5}$/.test(typed) && Number(typed) <= 65535, "must be a port number, 0 to 65535")),
	{
		description: "Port; 0 takes a free one",
		placeholder: "number",
	},
);

export default defineCommand({
	path: "sandbox serve",
	summary: "Run a local test service until stopped",
	details:
		"It serves the whole service on this machine, with state. It starts with one validated company that has ledgers and beneficiaries. With --save-profile every other command works at once, in another terminal. It listens on this machine only, unless --host says otherwise. A payment whose reference is DECLINED, ABORTED, RELEASED or REVERSED ends so; every other one is approved. A script reads the address from the first line of --output ndjson, written once it listens; --json writes it when it is stopped.",
	examples: [
		{ run: "sandbox serve --save-profile sandbox", note: "Serve, and use it in every other terminal" },
		{ run: "sandbox serve --state sandbox.json", note: "Keep the state across restarts" },
		{
			run: "sandbox serve --fault transaction.interLedger=drop-after:0.5 --seed 7",
			note: "Lose every second reply, the same way each time",
		},
		{ run: "sandbox serve --port 0 --save-profile sandbox -o ndjson", note: "For a script: the address is the first line" },
	],
	effect: "read",
	standalone: true,
	operations: [],
	input: z.strictObject({
		port: z._default(port, "4010"),
		host: z._default(plain("Address to listen on", { placeholder: "address" }), "127.0.0.1"),
		state: z.optional(plain("File that keeps its state across restarts", { placeholder: "file" })),
		seed: z.optional(
			field(z.string().check(z.regex(/^\d{1,9}$/, "must be a whole number")), {
				description: "Seed of the simulated faults",
				placeholder: "number",
			}),
		),
		fault: z.optional(
			field(z.array(plain("Fault")), {
				description: "OPERATION=KIND[:PROBABILITY][:xTIMES][:MILLISECONDSms]",
				placeholder: "fault",
			}),
		),
		review: z._default(field(z.enum(["html", "pdf", "json"]), { description: "What the due-diligence review answers with" }), "html"),
		relatedShares: z.optional(
			field(z.enum(["list"]), { description: "list: a related entity takes several holdings in `shares`; kept in the state" }),
		),
		empty: flag("Start without the first company"),
		saveProfile: z.optional(plain("Name of a profile to write, logged in and selected", { placeholder: "name" })),
	}),
	run: async (context, input) => {
		const sandbox = await openSandbox(context, input);
		const { url, open, close } = await listen(sandbox, input);
		try {
			if (open) context.reporter.warn(openWarning(input.host));
			await context.reporter.show(`Sandbox at ${url}\n  user operator · partner example-partner · password sandbox-password\n`);
			if (input.saveProfile) await saveProfile(context, input.saveProfile, url, sandbox);
			await context.reporter.show(`${hints(url, input.saveProfile, sandbox)}\nCtrl-C stops it.\n`);
			await context.reporter.record(() => ({ url, profile: input.saveProfile }));
			await untilStopped(context.signal);
		} finally {
			await close();
		}
		return { url };
	},
	text: () => "",
	lines: () => [],
});

interface Input {
	port: string;
	host: string;
	state?: string;
	seed?: string;
	fault?: string[];
	review: "html" | "pdf" | "json";
	relatedShares?: "list";
	empty: boolean;
}

async function openSandbox(context: Context, input: Input): Promise<Sandbox> {
	const path = input.state;
	const state = path === undefined ? undefined : await readStateFile(context.files, path);
	const sandbox = sandboxOf(context, input, state);
	if (input.relatedShares !== undefined) sandbox.state.relatedShares = input.relatedShares;
	if (path !== undefined) await writeFirst(context, path, sandbox);
	return sandbox;
}

function sandboxOf(context: Context, { state: path, seed, fault = [], review, empty }: Input, state: State | undefined): Sandbox {
	let warned = false;
	try {
		return createSandbox({
			clock: context.clock,
			random: context.random,
			state,
			review,
			empty,
			seed: seed === undefined ? undefined : Number(seed),
			faults: fault.map(parseFault),
			save:
				path === undefined
					? undefined
					: async (changed) => {
							await context.files.write(path, formatState(changed), 0o600);
							if (warned) context.reporter.warn(`${path} can be written again; it is complete`);
							warned = false;
						},
			saveFailed: (cause) => {
				if (warned) return;
				warned = true;
				context.reporter.warn(
					`${path} could not be written (${troubleWords(cause) ?? "no reason given"}). The sandbox goes on in memory; a restart would lose what happens from now on.`,
				);
			},
		});
	} catch (cause) {
		if (!(cause instanceof RangeError)) throw cause;
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "Invalid simulated fault",
			fix: "Like: --fault transaction.interLedger=drop-after:0.5",
			details: [{ field: "fault", message: cause.message }],
		});
	}
}

/** Writes the file at once, so that one that cannot be written is reported now and not after the first change. @throws PurserError usage */
async function writeFirst(context: Context, path: string, sandbox: Sandbox): Promise<void> {
	try {
		await context.files.write(path, formatState(sandbox.state), 0o600);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "STATE_UNWRITABLE",
			message: `${path} cannot be written`,
			why: troubleWords(cause),
			fix: "Give another file with --state, in an existing folder that you can write to.",
			cause,
		});
	}
}

/** What it means to listen for other machines. */
const openWarning = (host: string): string =>
	`With --host ${host} other machines can reach this sandbox: everybody on the network can read and change what is in it, because its password is published. Put nothing real into it. Without --host only this machine can reach it.`;

async function listen(sandbox: Sandbox, { host, port: number }: Input) {
	try {
		return await serve(sandbox, { host, port: Number(number) });
	} catch (cause) {
		throw new PurserError("usage", {
			code: "PORT_UNAVAILABLE",
			message: `Cannot listen on ${host}:${number}`,
			why: troubleWords(cause),
			fix: "Choose another with --port, or 0 for a free one.",
			cause,
		});
	}
}

/** Saves a profile for this sandbox, selects it and logs it in. */
async function saveProfile(context: Context, name: string, url: string, sandbox: Sandbox): Promise<void> {
	const profiles = await context.profiles();
	const profile = {
		name,
		baseUrl: url,
		environment: "sandbox" as const,
		auth: { kind: "login" as const, username: "operator", partnerName: "example-partner" },
		overrides: {},
		// The sandbox lists every transaction, so what it does not list was not created.
		settings: { absence: "list" },
	};
	const before = await profiles.get(name);
	if (before && before.environment !== "sandbox")
		throw new PurserError("guard", {
			code: "NOT_A_SANDBOX_PROFILE",
			message: `The profile ${name} is not a sandbox and is kept as it is`,
			fix: "Choose another name with --save-profile.",
		});
	if (before) await recordGuards(context, profile, before.settings, profile.settings);
	await profiles.save(profile);
	await profiles.use(name);
	const body = new TextEncoder().encode(
		JSON.stringify({ username: "operator", partnerName: "example-partner", password: "sandbox-password" }),
	);
	const answer = await sandbox.handle({
		method: "POST",
		target: "/api/partner/login",
		headers: { "content-type": "application/json" },
		body,
	});
	const { token, refreshToken } = JSON.parse(new TextDecoder().decode(answer.body)) as { token: string; refreshToken: string };
	const { warning } = await (await context.credentials()).set(profile, { kind: "tokens", token, refreshToken });
	if (warning) context.reporter.warn(warning);
	await context.reporter.show(`Profile ${name} is logged in and in use.\n`);
}

function hints(url: string, profile: string | undefined, { state }: Sandbox): string {
	const login = purser`auth login --base-url ${url} --username operator --partner-name example-partner`;
	const [from, to] = state.ledgers;
	// A kept state may have several ledgers of one name.
	const named = ({ id, friendlyName }: (typeof state.ledgers)[number]): string =>
		state.ledgers.filter((one) => one.friendlyName === friendlyName).length === 1 ? friendlyName : id;
	const pay = from && to && purser`pay ledger --from ${named(from)} --to ${named(to)} --amount 10.10`;
	const [first, ...then] = [
		...(profile === undefined ? [login] : []),
		...(pay ? [purser`ledger list`, pay] : [purser`corporate create`]),
	].map((command) => adviceText(command));
	return [`In another terminal: ${first}`, ...then.map((line) => `Then: ${line}`)].join("\n");
}

function untilStopped(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
