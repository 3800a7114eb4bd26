/**
 * Implements the port `Teams`: makes a team's journal, and lets this machine join and leave it.
 */
import { advice, purser } from "../api/advice.js";
import { sha256 } from "../api/digest.js";
import { type Advice, guard, PurserError } from "../errors.js";
import type { JournalEvent } from "../ports/journal.js";
import type { Membership, Profile, Profiles } from "../ports/profiles.js";
import type { Member, TeamAddress, TeamStatus, Teams } from "../ports/team.js";
import { RefusedJob } from "../sqlite/group-commit.js";
import { adopt } from "./adopt.js";
import { leftTeam, marksOf, movedToTeam } from "./anchor/unfit.js";
import { type Engine, withEngine } from "./engine.js";
import { diedReason, eventOf, livingOf } from "./intents/record.js";
import { addCarried, type Dependencies } from "./intents/write.js";
import { openFile } from "./open.js";
import { openTeam, recoverTeam, type TeamOptions } from "./open-team.js";
import { schemaText } from "./postgres/schema.js";
import { createTables } from "./postgres/setup.js";
import { troubleWith } from "./postgres/trouble.js";
import { among, type Reading, sql } from "./tables/sql.js";
import { type StoredIntent, storedIntents, tablesIn } from "./tables/tables.js";
import { installationOf, type WriteTransaction } from "./tables/transaction.js";

/** How a team's journal is opened, and the one that this machine had before. `machine`: as it is called, if the team has no other one of that name. */
type Opening = TeamOptions & { machine: string };

interface Place {
	/** What this machine is called. */
	machine: string;
	/** With the password that is kept on this machine. */
	team(profile: Profile, member: Membership): Promise<Opening>;
	profiles: Profiles;
	/** @throws PurserError usage, where it is none */
	address(url: string): TeamAddress;
	/** Keeps the password. @returns a warning, where it is in a file */
	keep(profile: Profile, address: TeamAddress): Promise<string | undefined>;
	forget(profile: Profile): Promise<void>;
}

export function teamsOf(place: Place): Teams {
	const { profiles } = place;
	const withPassword = (address: TeamAddress, password: string | undefined): TeamAddress =>
		password === undefined ? address : { ...address, password };
	const teamOf = async (profile: Profile): Promise<Opening> => {
		if (profile.team === undefined) throw noTeam(profile);
		return place.team(profile, profile.team);
	};
	return {
		async statements(url, policy) {
			const address = place.address(url);
			return troubleWith(address).guarded(() => schemaText(address.schema, policy));
		},
		create: async (url, { policy, password }) => createTables(withPassword(place.address(url), password), policy),
		async join(profile, url, { password, ...asked }) {
			const found = await place.team(profile, { url, machine: place.machine });
			const address = withPassword(found.address, password);
			const { machine, carried } = await joinTeam({ ...found, address }, asked);
			const warning = password === undefined ? undefined : await place.keep(profile, address);
			await profiles.change(profile.name, (stored) => ({ ...stored, team: { url, machine } }));
			return { url, machine, carried, warning };
		},
		async leave(profile) {
			await leaveTeam(await teamOf(profile));
			await profiles.change(profile.name, ({ team: _, ...stored }) => stored);
			await place.forget(profile);
		},
		forget: place.forget,
		async recover(profile, reason) {
			const team = await teamOf(profile);
			// First, so that nobody pays by it before it has what this machine had paid when it joined.
			await carryAgain(team);
			return recoverTeam(team, reason);
		},
		status: async (profile) => teamStatus(await teamOf(profile)),
	};
}

function noTeam({ name }: Profile): PurserError {
	return new PurserError("usage", {
		code: "NO_TEAM",
		message: `The profile ${name} pays by a journal of its own, and by no team's`,
		fix: advice`To pay by a team's: ${purser`team join postgresql://YOUR-LOGIN@db.example.com/payments`}`,
	});
}

/** Own events of a team's journal. */
const [joined, left] = ["joined", "left"];

/**
 * Carries the local journal over, makes the team's this profile's, and closes the local one for money.
 * @param asked `progress`: is told how many changes were carried over so far
 * @returns what the team calls this machine, and how many changes were carried over in all
 * @throws PurserError guard, where a batch is under way or a payment is being sent, or the local journal was given to another team; as
 *   {@link openTeam}
 */
export async function joinTeam(
	team: Opening,
	{ operator, progress }: { operator?: string; progress(count: number): void },
): Promise<{ machine: string; carried: number }> {
	return withEngine(await openFile(team), async (file) => {
		const installation = await file.connection.read(installationOf);
		return withEngine(await openTeam(team), async (engine) => {
			const theirs = await engine.connection.read(installationOf);
			const { records: isKnown, pays: maySend } = await engine.rights();
			const holds = await file.trouble.guarded(() => file.connection.read(whatIsCarried));
			if (holds === "payments" ? !maySend : holds === "changes" && !isKnown) throw notCarried(team.address, holds);
			await file.trouble.guarded(() => file.connection.write((transaction) => closeForMoney(transaction, file, theirs, engine.file)));
			const machine = await nameTaken(engine, { wanted: team.machine, installation, operator, isKnown });
			const carried = await carryHistory(file, engine, { machine, rules: team.rules, progress });
			if ((await engine.anchoring()) !== undefined) await adopt(engine, team.rules, `${machine} joined the team`);
			return { machine, carried };
		});
	});
}

/**
 * Carries over once more what this machine had on record when it joined: a database from before that does not know it. Nothing, where it is there.
 * @throws PurserError as {@link openTeam}
 */
async function carryAgain(team: Opening): Promise<void> {
	return withEngine(await openFile(team), async (file) => {
		const { team: has } = await file.connection.read(marksOf);
		const installation = await file.connection.read(installationOf);
		if (has === undefined) return;
		await withEngine(await openTeam(team), async (engine) => {
			if ((await engine.connection.read(installationOf)) !== has.installation || !(await engine.rights()).pays) return;
			const machine = await nameTaken(engine, { wanted: team.machine, installation });
			await carryHistory(file, engine, { machine, rules: team.rules, progress: () => {} });
		});
	});
}

/** The name is taken on record before the first change is carried over by it: another machine's of that number would be taken for it. */
function nameTaken(
	{ connection }: Engine,
	{ wanted, installation, operator, isKnown = true }: { wanted: string; installation: string; operator?: string; isKnown?: boolean },
): Promise<string> {
	return connection.write(async (transaction) => {
		// Whoever only reads or approves has nothing on record here, is not known for it, and has a name that no other will have.
		const machine = await nameOf(transaction, isKnown ? wanted : `${wanted}-${installation.slice(0, 4)}`, installation);
		if (isKnown) await transaction.append(joined, undefined, { machine, installation, operator });
		return machine;
	});
}

/**
 * Records that the machine left, and that its own journal is no team's any more.
 * @throws PurserError guard, where payments of this machine are in doubt or being sent
 */
export async function leaveTeam(team: Opening): Promise<void> {
	const { machine } = team;
	return withEngine(await openFile(team), async (file) => {
		const installation = await file.connection.read(installationOf);
		await withEngine(await openTeam(team), ({ connection }) =>
			connection.write(async (transaction) => {
				const open = await transaction.all(sql`SELECT * FROM intent WHERE state IN ('sending', 'in-doubt') AND effect = 'money'`);
				const own = (await storedIntents(transaction, open)).filter(
					({ intent, carried }) => intent.machine === machine || carried?.startsWith(`${machine}:`),
				);
				if (own.length > 0) throw new RefusedJob(stillOpen(own.map(({ number }) => String(number))));
				await transaction.append(left, undefined, { machine, installation });
			}),
		);
		await file.connection.write((transaction) => transaction.append(leftTeam, undefined, {}));
	});
}

/** Who uses the team's journal. @throws PurserError as {@link openTeam} */
export async function teamStatus(options: TeamOptions): Promise<TeamStatus> {
	return withEngine(await openTeam(options), async ({ file, connection, people }) => {
		const query = sql`SELECT * FROM event WHERE kind IN (${joined}, ${left}) AND intent IS NULL AND batch IS NULL ORDER BY seq`;
		const events = (await connection.read((reading) => reading.all(query))).map(eventOf);
		return { address: file, members: membersIn(events), ...(await people()) };
	});
}

/** The members by the events of a team's journal, in the order in which they joined. */
function membersIn(events: readonly Pick<JournalEvent, "kind" | "at" | "content">[]): Member[] {
	const members = new Map<string, Member>();
	for (const { kind, at, content } of events) {
		const { machine, installation, operator } = content as unknown as Omit<Member, "joined">;
		const before = members.get(machine);
		if (kind === joined)
			members.set(machine, { machine, installation, operator: operator ?? before?.operator, joined: before?.joined ?? at });
		else if (before !== undefined) members.set(machine, { ...before, left: at });
	}
	return [...members.values()];
}

async function closeForMoney(transaction: WriteTransaction, file: Engine, team: string, address: string): Promise<void> {
	const { team: has } = await marksOf(transaction);
	if (has?.installation === team) return;
	if (has !== undefined)
		throw new RefusedJob(
			unchanged(
				"TEAM_OTHER",
				`This machine's journal was carried over to another team's, ${has.address}`,
				advice`Leave that team first: ${purser`team leave`}`,
			),
		);
	const [batch] = await transaction.all(
		sql`SELECT number FROM batch WHERE state = 'begun' AND EXISTS (SELECT 1 FROM intent WHERE intent.batch = batch.number AND state = 'planned')`,
	);
	if (batch !== undefined)
		throw new RefusedJob(
			unchanged(
				"TEAM_BATCH_UNDER_WAY",
				`Batch ${batch.number} of this machine is not at its end, so its journal is not carried over`,
				advice`Send the rest: ${purser`pay batch resume ${String(batch.number)}`}\nOr cancel what was never sent: ${purser`pay batch abandon ${String(batch.number)} --reason TEXT`}`,
			),
		);
	const sending = await storedIntents(transaction, await transaction.all(sql`SELECT * FROM intent WHERE state = 'sending'`));
	const living = await livingOf(sending, file.senders);
	const [alive] = sending.filter(({ sender }) => sender !== undefined && living.has(sender));
	if (alive !== undefined)
		throw new RefusedJob(
			unchanged(
				"TEAM_PAYMENT_UNDER_WAY",
				`Change ${alive.number} of this machine is being sent right now, so its journal is not carried over`,
				advice`Run this again when it has ended: ${purser`history show ${String(alive.number)}`}`,
			),
		);
	await transaction.append(movedToTeam, undefined, { installation: team, address });
}

async function whatIsCarried(reading: Reading): Promise<"payments" | "changes" | "nothing"> {
	const effects = await reading.all(sql`SELECT DISTINCT effect FROM intent WHERE state NOT IN ('planned', 'abandoned')`);
	return effects.length === 0 ? "nothing" : effects.some(({ effect }) => effect === "money") ? "payments" : "changes";
}

/** The name that another installation has is not given twice. */
async function nameOf(transaction: WriteTransaction, wanted: string, installation: string): Promise<string> {
	const events = await transaction.all(
		sql`SELECT content FROM event WHERE ${among(sql`kind`, [joined])} AND intent IS NULL AND batch IS NULL ORDER BY seq`,
	);
	const known = events.map(({ content }) => JSON.parse(String(content)) as Pick<Member, "machine" | "installation">);
	const own = known.find((one) => one.installation === installation);
	if (own !== undefined) return own.machine;
	const taken = new Set(known.map(({ machine }) => machine));
	for (let number = 1; ; number++) {
		const name = number === 1 ? wanted : `${wanted}-${number}`;
		if (!taken.has(name)) return name;
	}
}

/** Changes of one transaction: others wait for it meanwhile. */
const page = 100;

interface Carrying extends Pick<Dependencies, "rules"> {
	machine: string;
	progress(count: number): void;
}

async function carryHistory(file: Engine, { connection }: Engine, { machine, rules, progress }: Carrying): Promise<number> {
	let count = 0;
	for (let after = 0; ; ) {
		const query = sql`SELECT * FROM intent WHERE number > ${after} AND state NOT IN ('planned', 'abandoned') ORDER BY number LIMIT ${page}`;
		const stored = await file.trouble.guarded(() =>
			file.connection.read(async (reading) => storedIntents(reading, await reading.all(query))),
		);
		await connection.write(async (transaction) => {
			const known = await knownOf(transaction, machine, stored);
			const tables = tablesIn(transaction);
			for (const one of stored) {
				const name = nameToCarry(machine, one, known);
				if (name !== undefined) await addCarried(tables, rules, carriedFrom(machine, name, one));
			}
		});
		count += stored.length;
		progress(count);
		if (stored.length < page) return count;
		after = stored.at(-1)?.number as number;
	}
}

const firstName = (machine: string, { number }: StoredIntent): string => `${machine}:${number}`;
/** Of what has changed after it was carried over: the machine had left, and went on with it. */
const laterName = (machine: string, one: StoredIntent): string =>
	`${firstName(machine, one)}:${sha256(`${one.attempt} ${one.state} ${one.changed}`).slice(0, 8)}`;

/** What the team has of these changes by their names, each as it is now, and as it was carried over. */
async function knownOf(transaction: WriteTransaction, machine: string, stored: readonly StoredIntent[]) {
	const names = stored.flatMap((one) => [firstName(machine, one), laterName(machine, one)]);
	const there = await storedIntents(transaction, await transaction.all(sql`SELECT * FROM intent WHERE ${among(sql`carried`, names)}`));
	const numbers = there.map(({ number }) => number);
	const events = await transaction.all(sql`SELECT intent, content FROM event WHERE kind = 'carried' AND ${among(sql`intent`, numbers)}`);
	const entered = new Map(events.map(({ intent, content }) => [Number(intent), JSON.parse(String(content)) as StoredIntent]));
	return new Map(there.map((one) => [one.carried, { now: one, before: entered.get(one.number) }]));
}

/** The name by which a change is carried over; undefined where the team has it as it is. */
function nameToCarry(machine: string, one: StoredIntent, known: Awaited<ReturnType<typeof knownOf>>): string | undefined {
	const [first, later] = [firstName(machine, one), laterName(machine, one)];
	const found = known.get(first);
	if (found === undefined) return first;
	const { now, before } = found;
	const state = one.state === "sending" ? "in-doubt" : one.state;
	const isAsCarried = before?.state === state && before.attempt === one.attempt && before.changed === one.changed;
	const isSame = now.state === state && now.attempt === one.attempt && now.createdId === one.createdId;
	return isAsCarried || isSame || known.has(later) ? undefined : later;
}

/** A row of a batch becomes a change of its own; whoever was sending is gone. */
function carriedFrom(machine: string, name: string, stored: StoredIntent): Omit<StoredIntent, "number"> {
	const { attempt, begun, changed, fingerprint, createdId, batch } = stored;
	const { skew: known, ...rest } = stored.result;
	const died = stored.state === "sending";
	// A row has its skew beside it; a payment in itself, or learned from its own answer.
	const skew = stored.intent.skew ?? (batch === undefined ? undefined : known);
	return {
		state: died ? "in-doubt" : stored.state,
		...{ attempt, begun, changed, fingerprint, createdId, carried: name },
		intent: { ...stored.intent, machine, ...(skew !== undefined && { skew }) },
		result: { ...(batch === undefined ? stored.result : rest), ...(died && { why: diedReason }) },
	};
}

function notCarried({ user, schema }: TeamAddress, holds: string) {
	return unchanged(
		"ROLE_MISSING",
		`This machine has ${holds} on record, and ${user} may not carry them over: the role ${schema}_sender is missing`,
		"Ask the administrator of the database for the role until this machine has joined, or join with a profile that has nothing on record.",
	);
}

function stillOpen(intents: readonly string[]) {
	const [first = "", ...more] = intents;
	const which = `${intents.slice(0, 5).join(", ")}${intents.length > 5 ? ", …" : ""}`;
	return unchanged(
		"TEAM_LEAVE_DOUBTS",
		`${more.length === 0 ? "A payment of this machine is" : `${intents.length} payments of this machine are`} in doubt (${which}), so it stays in the team`,
		advice`Settle what is in doubt first: ${purser`pay settle ${first}`}`,
	);
}

const unchanged = (code: string, message: string, fix: Advice) => guard({ code, message: `${message}; nothing was changed`, fix });
