/**
 * A world whose journal is on disk, with two ledgers in euros between which payments are lost and settled.
 */
import type { Journal } from "../../src/ports/journal.js";
import { newFolder, open } from "../journal/journals.js";
import { makeWorld, type World } from "../support/purser.js";

export interface SettlingWorld {
	world: World;
	/** Closed by the test. */
	journal: Journal;
	/** The ids of the ledgers. */
	from: string;
	to: string;
}

export async function makeSettlingWorld(): Promise<SettlingWorld> {
	const folder = newFolder();
	let opened: Promise<Journal> | undefined;
	const world = await makeWorld({
		openJournal: (clock, { name, environment }) => {
			opened ??= open(folder, { clock: clock as never, profile: { name, environment } });
			return opened;
		},
	});
	const ledgers = (await world.purser(["ledger", "list", "--json"])).json() as { id: string; friendlyName: string; currency: string }[];
	const euros = ledgers.filter(({ currency }) => currency === "EUR");
	const from = euros.find(({ friendlyName }) => friendlyName === "Main account")?.id as string;
	const to = euros.find(({ id }) => id !== from)?.id as string;
	await world.purser(["history", "list"]);
	return { world, journal: (await opened) as unknown as Journal, from, to };
}
