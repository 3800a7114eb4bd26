import * as z from "zod/mini";
import { adviceText, purser } from "../../api/advice.js";
import { filePath, flag, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { isLoopback } from "../../api/service-address.js";
import { troubleWords } from "../../api/text/trouble.js";
import { isUrl } from "../../api/text/url.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { recordGuards } from "../../payments/rules/guards.js";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { serve } from "../../sandbox/server.js";
import { formatState, readStateFile, type State } from "../../sandbox/state.js";
import { post } from "../../sandbox/webhooks.js";
import { requireNothingUnderWay } from "../families/mapping-file.js";

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
		"It serves the whole service on this machine, with state. It starts with one validated company that has ledgers and beneficiaries. With --save-profile every other command works at once, in another terminal. It listens on this machine only. A payment whose reference is DECLINED, ABORTED, RELEASED or REVERSED ends so; every other one is approved. A script reads the address from the first line of --output ndjson, written once it listens; --json writes it when it is stopped.",
	examples: [
		{ run: "sandbox serve --save-profile sandbox", note: "Serve, and use it in every other terminal" },
		{ run: "sandbox serve --state sandbox.json", note: "Keep the state across restarts" },
		{
			run: "sandbox serve --events-to http://127.0.0.1:4020/hook",
			note: "Deliver events, signed, to `purser events listen` or a program of yours",
		},
		{ run: "sandbox serve --port 0 --save-profile sandbox -o ndjson", note: "For a script: the address is the first line" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		port: z._default(port, "4010"),
		state: z.optional(filePath("File that keeps its state across restarts", { placeholder: "file" })),
		empty: flag("Start without the first company"),
		eventsTo: z.optional(
			plain("Address on this machine that is sent every change, signed as the service signs them", { placeholder: "url" }),
		),
		saveProfile: z.optional(plain("Name of a profile to write, logged in and selected", { placeholder: "name" })),
	}),
	answer: () => z.strictObject({ url: z.string() }),
	async run(context, input) {
		return { data: await serveUntilStopped(context, input), lines: [] };
	},
	text: () => "",
});

async function serveUntilStopped(context: Context, input: Input): Promise<{ url: string }> {
	const to = input.eventsTo === undefined ? undefined : receiverOf(input.eventsTo);
	const sandbox = await openSandbox(context, input, to);
	const { url, close } = await listen(sandbox, input.port);
	try {
		await context.report.show(`Sandbox at ${url}\n  user operator · partner example-partner · password sandbox-password\n`);
		if (to !== undefined)
			await context.report.show(
				`Events go to ${to.href}, signed. The secret: purser sandbox webhook-secret | purser events secret add sandbox\n`,
			);
		if (input.saveProfile) await saveProfile(context, input.saveProfile, url, sandbox);
		await context.report.show(`${hints(url, input.saveProfile, sandbox)}\nCtrl-C stops it.\n`);
		await context.report.record(() => ({ url, profile: input.saveProfile, eventsTo: to?.href }));
		await untilStopped(context.signal);
	} finally {
		await close();
	}
	return { url };
}

/** Who may log in to a sandbox. */
const operator = { username: "operator", partnerName: "example-partner", password: "sandbox-password" };

interface Input {
	eventsTo?: string;
	saveProfile?: string;
	port: string;
	state?: string;
	empty: boolean;
}

async function openSandbox(context: Context, input: Input, to: URL | undefined): Promise<Sandbox> {
	const path = input.state;
	const state = path === undefined ? undefined : await readStateFile(context.files, path);
	const sandbox = sandboxOf(context, input, state, to);
	if (path !== undefined) await writeFirst(context, path, sandbox);
	return sandbox;
}

function sandboxOf(context: Context, { state: path, empty }: Input, state: State | undefined, to: URL | undefined): Sandbox {
	return createSandbox({
		clock: context.clock,
		random: context.random,
		state,
		empty,
		post: to && ((headers, body) => post(to, headers, body, context.signal)),
		save: path === undefined ? undefined : (changed) => context.files.write(path, formatState(changed), 0o600),
		saveFailed: (cause) =>
			context.report.warn(
				`${path} could not be written (${troubleWords(cause) ?? "no reason given"}). The sandbox goes on in memory; a restart would lose this change.`,
			),
	});
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

async function listen(sandbox: Sandbox, number: string) {
	try {
		return await serve(sandbox, { port: Number(number) });
	} catch (cause) {
		throw new PurserError("usage", {
			code: "PORT_UNAVAILABLE",
			message: `Cannot listen on 127.0.0.1:${number}`,
			why: troubleWords(cause),
			fix: "Choose another with --port, or 0 for a free one.",
			cause,
		});
	}
}

function untilStopped(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

/**
 * The address that a person gave. Deliveries say everything that happens, so they stay on this machine.
 * @throws PurserError validation, where it is none; guard, where it is on another machine
 */
function receiverOf(typed: string): URL {
	const url = isUrl(typed) ? new URL(typed) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.hash !== "")
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "--events-to is not an address to deliver to",
			fix: "Like: --events-to http://127.0.0.1:4020/hook, without a user or a password.",
			details: [{ field: "eventsTo", message: "must be an http or https address" }],
		});
	if (isLoopback(typed)) return url;
	throw new PurserError("guard", {
		code: "EVENTS_ABROAD",
		message: `${url.hostname} is not this machine; nothing was started`,
		fix: "Give an address of this machine, like --events-to http://127.0.0.1:4020/hook.",
	});
}

/** Saves a profile for this sandbox, selects it and logs it in. */
async function saveProfile(context: Context, name: string, url: string, sandbox: Sandbox): Promise<void> {
	const profiles = await context.config.profiles();
	const before = await profiles.get(name);
	const profile = {
		name,
		baseUrl: url,
		environment: "sandbox" as const,
		auth: { kind: "login" as const, username: operator.username, partnerName: operator.partnerName },
		// Named, so that nothing of what a profile of this name mapped before survives.
		mapping: undefined,
		// The journal of this machine was carried over, and pays no more.
		team: before?.team,
		settings: {},
	};
	if (before && before.environment !== "sandbox")
		throw new PurserError("guard", {
			code: "NOT_A_SANDBOX_PROFILE",
			message: `The profile ${name} is not a sandbox and is kept as it is`,
			fix: "Choose another name with --save-profile.",
		});
	if (before) await recordGuards(context, profile, before, profile);
	await requireNothingUnderWay(context, before ?? profile, profile);
	await profiles.save(profile);
	await profiles.use(name);
	const { token, refreshToken } = await sandbox.logIn(operator);
	const { warning } = await (await context.config.credentials()).set(profile, { kind: "tokens", token, refreshToken });
	if (warning) context.report.warn(warning);
	await context.report.show(`Profile ${name} is logged in and in use.\n`);
}

/** What to type next. */
function hints(url: string, profile: string | undefined, { state }: Sandbox): string {
	const login = [
		purser`profile add sandbox --base-url ${url} --username operator --partner-name example-partner`,
		purser`auth login --profile sandbox`,
	];
	const [from, to] = state.ledgers;
	// A kept state may have several ledgers of one name.
	const named = ({ id, friendlyName }: (typeof state.ledgers)[number]): string =>
		state.ledgers.filter((one) => one.friendlyName === friendlyName).length === 1 ? friendlyName : id;
	const pay = from && to && purser`pay ledger --from ${named(from)} --to ${named(to)} --amount 10.10`;
	const [first, ...then] = [
		...(profile === undefined ? login : []),
		...(pay ? [purser`ledger list`, pay] : [purser`corporate create`]),
	].map((command) => adviceText(command));
	return [`In another terminal: ${first}`, ...then.map((line) => `Then: ${line}`)].join("\n");
}
