import * as z from "zod/mini";
import { filePath, flag, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { serve } from "../../sandbox/server.js";
import { faultForm, parseFault } from "../../sandbox/simulate/faults.js";
import type { State } from "../../sandbox/state.js";
import { formatState, holdStateFile, readStateFile } from "../../sandbox/state-file.js";
import { post } from "../../sandbox/webhooks/sender.js";
import { eventsWords, receiverOf } from "../families/sandbox-events.js";
import { hints, saveProfile } from "../families/sandbox-profile.js";

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
			run: "sandbox serve --fault transaction.interLedger=drop-after:x3",
			note: "Lose the next three replies",
		},
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
		fault: z.optional(
			field(z.array(plain("Fault")), {
				description: faultForm,
				placeholder: "fault",
			}),
		),
		relatedShares: z.optional(
			field(z.enum(["list"]), { description: "list: a related entity takes several holdings in `shares`; kept in the state" }),
		),
		empty: flag("Start without the first company"),
		eventsTo: z.optional(
			plain("Address on this machine that is sent every change, signed as the service signs them", { placeholder: "url" }),
		),
		saveProfile: z.optional(plain("Name of a profile to write, logged in and selected", { placeholder: "name" })),
	}),
	async run(context, input) {
		const release = input.state === undefined ? undefined : holdStateFile(input.state);
		try {
			return { data: await serveUntilStopped(context, input), lines: [] };
		} finally {
			release?.();
		}
	},
	text: () => "",
});

async function serveUntilStopped(context: Context, input: Input): Promise<{ url: string }> {
	const to = input.eventsTo === undefined ? undefined : receiverOf(input.eventsTo);
	const sandbox = await openSandbox(context, input, to);
	const { url, close } = await listen(sandbox, input.port);
	try {
		await context.report.show(`Sandbox at ${url}\n  user operator · partner example-partner · password sandbox-password\n`);
		if (to !== undefined) await context.report.show(eventsWords(to));
		if (input.saveProfile) await saveProfile(context, input.saveProfile, url, sandbox);
		await context.report.show(`${hints(url, input.saveProfile, sandbox)}\nCtrl-C stops it.\n`);
		await context.report.record(() => ({ url, profile: input.saveProfile, eventsTo: to?.href }));
		await untilStopped(context.signal);
	} finally {
		await close();
	}
	return { url };
}

interface Input {
	eventsTo?: string;
	saveProfile?: string;
	port: string;
	state?: string;
	fault?: string[];
	relatedShares?: "list";
	empty: boolean;
}

async function openSandbox(context: Context, input: Input, to: URL | undefined): Promise<Sandbox> {
	const path = input.state;
	const state = path === undefined ? undefined : await readStateFile(context.files, path);
	const sandbox = sandboxOf(context, input, state, to);
	if (input.relatedShares !== undefined) sandbox.state.relatedShares = input.relatedShares;
	if (path !== undefined) await writeFirst(context, path, sandbox);
	return sandbox;
}

function sandboxOf(context: Context, { state: path, fault = [], empty }: Input, state: State | undefined, to: URL | undefined): Sandbox {
	let warned = false;
	try {
		return createSandbox({
			clock: context.clock,
			random: context.random,
			state,
			empty,
			post: to && ((headers, body) => post(to, headers, body, context.signal)),
			faults: fault.map(parseFault),
			save:
				path === undefined
					? undefined
					: async (changed) => {
							await context.files.write(path, formatState(changed), 0o600);
							if (warned) context.report.warn(`${path} can be written again; it is complete`);
							warned = false;
						},
			saveFailed: (cause) => {
				if (warned) return;
				warned = true;
				context.report.warn(
					`${path} could not be written (${troubleWords(cause) ?? "no reason given"}). The sandbox goes on in memory; a restart would lose what happens from now on.`,
				);
			},
		});
	} catch (cause) {
		if (!(cause instanceof RangeError)) throw cause;
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "Invalid simulated fault",
			fix: "Like: --fault transaction.interLedger=drop-after:x1",
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
