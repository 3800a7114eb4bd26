import * as z from "zod/mini";
import { adviceText, purser } from "../../api/advice.js";
import { filePath, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { isLoopback } from "../../api/service-address.js";
import { troubleWords } from "../../api/text/trouble.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { recordGuards } from "../../payments/rules/guards.js";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { serve } from "../../sandbox/server.js";
import { formatState, operator, readStateFile, type State } from "../../sandbox/state.js";
import { post } from "../../sandbox/webhooks.js";
import { requireNothingUnderWay } from "../families/mapping-file.js";
import { listenAt, portField } from "../families/port.js";

/** Deliveries say everything that happens, so they stay on this machine. */
const isReceiver = (typed: string): boolean => {
	if (!isLoopback(typed)) return false;
	const { protocol, username, password, hash } = new URL(typed);
	return protocol === "http:" && `${username}${password}${hash}` === "";
};

export default defineCommand({
	path: "sandbox serve",
	summary: "Run a local test service until stopped",
	details:
		"It serves the whole service on this machine, with state. It starts with one validated company that has ledgers and beneficiaries. With --save-profile every other command works at once, in another terminal. It listens on this machine only. A payment whose reference is DECLINED, ABORTED, RELEASED or REVERSED ends so; every other one is approved. A script reads the address from the first line of --output ndjson, written once it listens; --json writes it when it is stopped.",
	examples: {
		"sandbox serve --save-profile sandbox": "Serve, and use it in every other terminal",
		"sandbox serve --state sandbox.json": "Keep the state across restarts",
		"sandbox serve --events-to http://127.0.0.1:4020/hook": "Deliver events, signed, to `purser events listen` or a program of yours",
		"sandbox serve --port 0 --save-profile sandbox -o ndjson": "For a script: the address is the first line",
	},
	input: z.strictObject({
		port: portField("4010"),
		state: z.optional(filePath("File that keeps its state across restarts", { placeholder: "file" })),
		eventsTo: z.optional(
			field(z.string().check(z.refine(isReceiver, "must be an http address of this machine, like http://127.0.0.1:4020/hook")), {
				description: "Address on this machine that is sent every change, signed as the service signs them",
				placeholder: "url",
			}),
		),
		saveProfile: z.optional(plain("Name of a profile to write, logged in and selected", { placeholder: "name" })),
	}),
	answer: () => z.strictObject({ url: z.string() }),
	async run(context, { eventsTo, port, state, saveProfile: profile }) {
		const { report, signal } = context;
		const to = eventsTo === undefined ? undefined : new URL(eventsTo);
		const sandbox = await openSandbox(context, state, to);
		const { url, close } = await listenAt(port, () => serve(sandbox, { port: Number(port) }));
		try {
			const { username, partnerName, password } = operator;
			await report.show(`Sandbox at ${url}\n  user ${username} · partner ${partnerName} · password ${password}\n`);
			const secret = "purser sandbox webhook-secret | purser events secret add sandbox";
			if (to !== undefined) await report.show(`Events go to ${to.href}, signed. The secret: ${secret}\n`);
			if (profile) await saveProfile(context, profile, url, sandbox);
			await report.show(`${hints(url, profile)}\nCtrl-C stops it.\n`);
			await report.record(() => ({ url, profile, eventsTo: to?.href }));
			if (!signal.aborted) await new Promise((stop) => signal.addEventListener("abort", stop, { once: true }));
		} finally {
			await close();
		}
		return { data: { url }, lines: [] };
	},
	text: () => "",
});

async function openSandbox(context: Context, path: string | undefined, to: URL | undefined): Promise<Sandbox> {
	const save = path === undefined ? undefined : (changed: State) => context.files.write(path, formatState(changed), 0o600);
	const sandbox = createSandbox({
		clock: context.clock,
		random: context.random,
		state: path === undefined ? undefined : await readStateFile(context.files, path),
		post: to && ((headers, body) => post(to, headers, body, context.signal)),
		save,
		saveFailed: (cause) =>
			context.report.warn(
				`${path} could not be written (${troubleWords(cause) ?? "no reason given"}). The sandbox goes on in memory; a restart would lose this change.`,
			),
	});
	// At once, so that a file that cannot be written is reported now and not after the first change.
	await save?.(sandbox.state).catch((cause) => {
		throw new PurserError("usage", {
			code: "STATE_UNWRITABLE",
			message: `${path} cannot be written`,
			why: troubleWords(cause),
			fix: "Give another file with --state, in an existing folder that you can write to.",
			cause,
		});
	});
	return sandbox;
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
function hints(url: string, profile: string | undefined): string {
	const login = [
		purser`profile add sandbox --base-url ${url} --username ${operator.username} --partner-name ${operator.partnerName}`,
		purser`auth login --profile sandbox`,
	];
	const commands = [...(profile === undefined ? login : []), purser`ledger list`, purser`pay ledger`];
	return commands.map((command, at) => `${at === 0 ? "In another terminal" : "Then"}: ${adviceText(command)}`).join("\n");
}
