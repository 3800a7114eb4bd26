/**
 * Makes a plan: reads and checks every row, records them in the journal, and looks for duplicates of earlier payments.
 */

import { basename } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { sha256 } from "../../../api/digest.js";
import { RowsDigest } from "../../../api/operations/rows-digest.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import { serviceAddress } from "../../../api/service-address.js";
import { fileNotRead } from "../../../api/text/trouble.js";
import type { Context } from "../../../context.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { BatchPlan, PlannedRow } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, Batches, BatchShared } from "../../../ports/batches.js";
import type { Profile } from "../../../ports/profiles.js";
import { limitsMoney } from "../../rules/caps.js";
import { plannedBytes } from "../approval/approval.js";
import { decisiveSettings } from "./check.js";
import { type BatchField, exampleHeader } from "./columns.js";
import { Directory } from "./directory.js";
import { hashed, systemError } from "./file.js";
import { type Debited, debitedOf, type Findings, findingsOf } from "./findings.js";
import { Naming } from "./naming.js";
import { Amounts, type DecimalSign, type ReadAmount } from "./numbers.js";
import { readRows } from "./rows.js";
import { Totals } from "./totals.js";

/**
 * Rows of one commit, which takes some tenths of a second, so that payments of other processes do not wait long. Each commit rewrites much of
 * the index of duplicates, so smaller ones would write a file of a million rows many times over.
 */
const loadAbove = 3_000;

const mostOnPage = 200;

/** Milliseconds for which a plan and its approval are valid. */
const planValidity = 24 * 3_600_000;

export interface PlanInput {
	/** A path, or `-`. */
	file: string;
	decimal?: DecimalSign;
	given: Partial<Record<BatchField, string>>;
	despite?: BatchPlan["despite"];
	dry: boolean;
	progress?: (label: string) => void;
	/** Makes the bytes of the plan's page, of a plan without the digest of its page; absent if none is wanted. */
	page?(planned: Planned): Promise<Uint8Array>;
}

export interface Planned {
	plan: BatchPlan;
	foundDuplicates: BatchDuplicates;
	findings: Findings;
	balances: Debited[];
	/** Ledgers whose balance is not enough, with the first row that exceeds it. */
	dry: { ledgerFromId: string; row: number }[];
	ignored: string[];
	amountRead?: ReadAmount;
}

export async function planBatch(context: Context, input: PlanInput): Promise<Planned & { page?: Uint8Array }> {
	const { profile } = await context.settings.read();
	const batches = await context.journal.batches(profile);
	const shared = sharedOf(profile, await context.journal.sandboxIdentity(profile));
	const address = serviceAddress(profile.baseUrl);
	const { batch, installation } = await batches.open(shared);
	try {
		const read = await readAll(context, batches, batch, input);
		const skew = context.clock.service.skew(address);
		const duplicates = await batches.duplicates(batch, read.sums.digest, ["planned"], skew);
		const most = input.page === undefined ? undefined : mostOnPage;
		const { directory } = read;
		const findings = await findingsOf(context, batches, batch, { takes: ["planned"], duplicates, directory, most, skew });
		const planner = await ownKey(context, profile, input.dry, batches.team !== undefined);
		const operator = planner === undefined ? undefined : await context.config.operator();
		// The later of both clocks, because sending uses the latest known time to check the expiry.
		const now = new Date(Math.max(context.clock.now().getTime(), context.clock.service.now(address).getTime()));
		const bare: BatchPlan = {
			version: 1,
			batch,
			installation,
			profile: profile.name,
			environment: profile.environment,
			origin: address,
			source: input.file === "-" ? "-" : basename(input.file),
			...read.sums,
			settings: decisiveSettings(profile),
			duplicates: { inside: duplicates.inside, earlier: duplicates.earlier },
			...(input.despite ? { despite: input.despite } : {}),
			planned: now.toISOString(),
			expires: new Date(now.getTime() + planValidity).toISOString(),
			...(planner === undefined ? {} : { planner }),
			...(operator === undefined ? {} : { operator }),
		};
		const found = {
			foundDuplicates: duplicates,
			findings,
			balances: await debitedOf(context, bare, directory),
			...read.told,
		};
		const page = await input.page?.({ plan: bare, ...found });
		const whole: BatchPlan = page === undefined ? bare : { ...bare, sheet: { sha256: sha256(page) } };
		const plan: BatchPlan =
			planner === undefined ? whole : { ...whole, signature: await (await context.config.signing()).sign(plannedBytes(whole)) };
		if (input.dry) await batches.discard(batch);
		else await batches.seal(batch, plan);
		return { plan, ...found, ...(page && { page }) };
	} catch (error) {
		await batches.discard(batch).catch(() => {});
		throw error;
	}
}

/**
 * The public key with which the planner signs. Where the profile has any setting about approvals, or a team its journal, everybody who plans has one, so that no
 * plan has to be made again once an approval is needed; without such a setting only who has one already.
 */
async function ownKey(context: Context, { settings }: Profile, dry: boolean, isTeam: boolean): Promise<string | undefined> {
	const signing = await context.config.signing();
	if (!isTeam && ![settings.approval, settings.approvers, settings.planners].some((value) => value?.trim()))
		// Nobody waits for this signature: a key that cannot be read does not stop the planning.
		return (await signing.own().catch(() => undefined))?.key;
	const own: Awaited<ReturnType<typeof signing.make>> | undefined = dry ? await signing.own() : await signing.make();
	if (own?.warning !== undefined) context.report.warn(own.warning);
	return own?.key;
}

function sharedOf(profile: Profile, sandbox: string | undefined): BatchShared {
	const service = serviceAddress(profile.baseUrl);
	const { origin } = new URL(service);
	const base = service.slice(origin.length);
	const placeOf = (kind: "ledger" | "beneficiary") => {
		const operation = transferOperations[kind];
		const entry = profile.mapping?.operations[operation.id];
		const { method, path } = entry === undefined || entry === "none" ? operation : entry;
		return { operation: operation.id, method, path: base + path };
	};
	return {
		profile: profile.name,
		origin,
		service,
		...(sandbox === undefined ? {} : { sandbox }),
		operations: { ledger: placeOf("ledger"), beneficiary: placeOf("beneficiary") },
	};
}

async function readAll(context: Context, batches: Batches, batch: string, input: PlanInput) {
	const { file, decimal, given } = input;
	const source = hashed(file === "-" ? context.system.terminal.stdin.stream() : context.files.stream(file));
	const ids = await context.settings.ids();
	const every = limitsMoney((await context.settings.read()).profile);
	const progress = (payees: number): void => input.progress?.(`Checking every row: ${groupDigits(payees)} payees looked up`);
	const directory = new Directory(context.report, context.service, context.names.resolver, { ids, every, progress });
	const amounts = new Amounts(decimal);
	const naming = new Naming(context.names.resolver, ids);
	let ignored: string[] = [];
	const totals = new Totals(directory.ledgers);
	const digest = new RowsDigest();
	const faults: Fault[] = [];
	let [faulty, found] = [0, 0];
	let waiting: PlannedRow[] = [];
	let count = 0;
	try {
		const rows = readRows(source.pieces, {
			name: file === "-" ? "standard input" : file,
			given,
			amounts,
			naming,
			currencyOf: (wanted, kind) => directory.of(wanted, kind),
			ids,
			ignored: (titles) => {
				ignored = titles;
			},
		});
		for await (const some of rows) {
			count += some.length;
			for (const { row, transfer, faults: own } of some) {
				if (own.length > 0) faulty += 1;
				found += own.length;
				for (const fault of own) if (faults.length < maxReported) faults.push(fault);
				if (found > 0 || transfer === undefined) continue;
				digest.add(transfer);
				totals.add(row, transfer);
				waiting.push({ row, transfer });
			}
			if (waiting.length < loadAbove) continue;
			await batches.load(batch, waiting);
			waiting = [];
		}
		if (found > 0) throw rowsInvalid(file, { faulty, all: count, found, faults });
		if (waiting.length > 0) await batches.load(batch, waiting);
	} catch (error) {
		throw systemError(error) ? fileNotRead(file, error) : error;
	}
	if (count === 0)
		throw new PurserError("validation", {
			code: "FILE_EMPTY",
			message: `${file === "-" ? "Standard input" : file} has no rows; nothing was planned`,
			fix: `Write one line for each payment below the header: ${exampleHeader}`,
		});
	const { list, largest, dry } = totals;
	return {
		sums: { sourceDigest: source.digest(), count, digest: digest.finish(), totals: list, largest },
		told: { dry, ignored, ...(amounts.example && { amountRead: amounts.example }) },
		directory,
	};
}

const maxReported = 1_000;

function rowsInvalid(file: string, of: { faulty: number; all: number; found: number; faults: Fault[] }): PurserError {
	const { faulty, all, found, faults } = of;
	const more = found > faults.length ? `; the first ${faults.length} are listed` : "";
	return new PurserError("validation", {
		code: "ROWS_INVALID",
		message: `${faulty} of ${all} ${all === 1 ? "row" : "rows"} cannot be paid (${found} ${found === 1 ? "error" : "errors"}${more}); nothing was planned or sent`,
		fix: advice`Correct the rows in the file and plan it again: ${purser`pay batch plan ${{ path: file }}`}`,
		details: faults,
	});
}
