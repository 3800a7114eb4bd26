/**
 * A world with a journal on disk and batches in it: a file is planned and sent through the commands, against the in-process sandbox.
 */
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import type { Batches, BatchRules } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { TeamAddress } from "../../src/ports/team.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { newFolder, newUuid, open, openRows, removeFolders } from "../journal/journals.js";
import { makeWorld, type Ran, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

export type Rows = readonly (readonly [amount: string, reference: string])[];

/** Rows of an amount and a reference each, as `1.10 one`. */
export const rowsOf = (...lines: readonly string[]): Rows =>
	lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);

export interface BatchWorld extends World {
	from: string;
	to: string;
	/** A file of one row for each amount and reference, as CSV. */
	file(rows: Rows, name?: string): string;
	/** Plans the rows, sends them, and gives the batch's number. */
	sent(rows: Rows, name?: string): Promise<{ batch: string; ran: Ran }>;
	/** What is done with each transfer on its way, by its reference; the sandbox without it. */
	onTransfer(act: (reference: string, pass: () => Promise<WireOutcome>) => Promise<WireOutcome>): void;
	/** Plans pay.csv, in a script. */
	plan(...more: string[]): Promise<Ran>;
	/** Sends the plan of pay.csv, in a script. */
	send(...more: string[]): Promise<Ran>;
	/** The same payment as a row of this amount and reference makes, by itself. */
	pay(amount: string, reference: string): Promise<Ran>;
	/** Two people, each with a key that the profile knows: `ci` plans and `ben` approves. `ci` is at work. */
	twoPeople(): Promise<{ be(who: "planner" | "approver"): void; approver: string }>;
	/** The journal, for what no command says. */
	history(): Promise<Journal>;
	/** What `history verify` finds. */
	faults(): Promise<unknown[]>;
	/** What runs next is another process, as each run of a batch is. */
	nextProcess(): Promise<void>;
	end(): Promise<void>;
}

/** The error that a script is told. */
export const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

/** @param address where a team's journal is, in the place of the file */
export async function batchWorld(
	settings: Record<string, string> = {},
	profile: Partial<Profile> = {},
	address?: TeamAddress,
): Promise<BatchWorld> {
	const folder = newFolder();
	let [journal, batches]: [Promise<Journal> | undefined, Promise<Batches> | undefined] = [undefined, undefined];
	let current: Pick<Profile, "settings" | "confirmations"> = { settings };
	// One journal for all runs, each with the profile of its time.
	const rules = new Proxy({} as BatchRules, {
		get: (_, name) => batchRules(current.settings, current.confirmations)[name as keyof BatchRules],
	});
	const team = address && { driver: "postgres" as const, address };
	const world = await makeWorld({
		profile: { ...profile, settings },
		openJournal: (clock, profile) => {
			current = profile;
			journal ??= open(folder, { clock: clock as never, profile, rules, ...team });
			return journal;
		},
		openBatches: (clock, profile) => {
			current = profile;
			if (team) batches ??= openRows(folder, { clock: clock as never, profile, rules, ...team });
			batches ??= openBatches({ directory: folder, profile, clock, random: { uuid: newUuid, fraction: () => 0.5 }, rules });
			return batches;
		},
	});
	const ledgers = (await world.json("ledger list")) as { id: string; friendlyName: string; currency: string }[];
	const euros = ledgers.filter(({ currency }) => currency === "EUR");
	const from = euros.find(({ friendlyName }) => friendlyName === "Main account")?.id as string;
	const to = euros.find(({ id }) => id !== from)?.id as string;
	const pass = async (request: WireRequest): Promise<WireOutcome> => delivered(await sandboxAnswer(world, request));
	const file: BatchWorld["file"] = (rows, name = "pay.csv") => {
		const lines = rows.map(([amount, reference]) => `${from},${to},${amount},${reference}`);
		return world.put(name, ["ledgerFromId,ledgerToId,amount,reference", ...lines].join("\n"));
	};
	const plan = (path: string, ...more: string[]) => world.purser(["pay", "batch", "plan", path, "--json", ...more]);
	const send = (path: string, ...more: string[]) => world.purser(["pay", "batch", "send", `${path}.plan.json`, "--yes", "--json", ...more]);
	return Object.assign(world, {
		from,
		to,
		file,
		plan: (...more: string[]) => plan("pay.csv", ...more),
		send: (...more: string[]) => send("pay.csv", ...more),
		pay: (amount: string, reference: string) =>
			world.purser(`pay ledger --from ${from} --to ${to} --amount ${amount} --reference "${reference}" --yes --json`),
		sent: async (rows: Rows, name?: string) => {
			const path = file(rows, name);
			const planned = await plan(path);
			if (planned.exit !== 0) throw new Error(`not planned: ${planned.stderr}`);
			return { batch: planned.json().plan.batch as string, ran: await send(path) };
		},
		onTransfer: (act: Parameters<BatchWorld["onTransfer"]>[0]) => {
			world.wire = (request) => {
				if (request.method !== "POST" || !request.url.includes("/transactions/")) return pass(request);
				const { reference = "" } = JSON.parse(new TextDecoder().decode(request.body)) as { reference?: string };
				return act(reference, () => pass(request));
			};
		},
		twoPeople: async () => {
			const make = async () => {
				world.person.key = undefined;
				const { key } = await world.json("pay batch key");
				return [key as string, world.person.key] as const;
			};
			const [[approver, approving], [planner, planning]] = [await make(), await make()];
			await world.purser(`profile set sandbox --set approvers=ben=${approver} --set planners=ci=${planner} --yes`);
			const be = (who: "planner" | "approver"): void => {
				world.person.key = who === "planner" ? planning : approving;
			};
			return { be, approver };
		},
		history: async () => {
			await world.purser("history list");
			return journal as Promise<Journal>;
		},
		faults: async () => (await world.json("history verify")).faults,
		nextProcess: async () => {
			await (await batches)?.close();
			batches = undefined;
		},
		end: async () => {
			await (await batches)?.close();
			await (await journal)?.close();
			await removeFolders();
		},
	});
}
