/**
 * Worlds with a journal on disk, for cases: what one run wrote, the next one reads.
 */
import { newFolder, open } from "../journal/journals.js";
import { answered, makeWorld, type World } from "../support/purser.js";

/** @param options as `makeWorld` takes them; the journal is real and shared by all runs of the world */
export async function caseWorld(options: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
	const folder = newFolder();
	return makeWorld({
		...options,
		openJournal: async (clock, profile) =>
			open(folder, { clock: clock as never, profile: { name: profile.name, environment: profile.environment } }),
	});
}

/** A world whose journal can be changed for that of another machine. */
export async function machines(): Promise<{ world: World; other(): void }> {
	let place = newFolder();
	const world = await makeWorld({
		openJournal: async (clock, { name, environment }) => open(place, { clock: clock as never, profile: { name, environment } }),
	});
	return {
		world,
		other: () => {
			place = newFolder();
		},
	};
}

/** Puts a file where the commands find it. */
export function put(world: World, path: string, text: string): void {
	world.files.set(path, new TextEncoder().encode(text));
}

/** Corporates and related entities of a case, by their externalId or name, as the sandbox has them. */
export function entitiesOf(world: World, externalId: string): { corporates: number; related: string[] } {
	const { corporates, related } = world.sandbox.state;
	const own = corporates.filter(({ fields }) => fields.externalId === externalId);
	const ids = own.map(({ id }) => id);
	const names = related
		.filter(({ corporateId }) => ids.includes(corporateId))
		.map(({ fields }) => String(fields.corporateName ?? `${fields.firstName} ${fields.lastName}`))
		.sort();
	return { corporates: own.length, related: names };
}

/** The sandbox with its answers changed on the way: another text, a status of its own, or (undefined) no answer at all. */
export function through(world: World, change: (line: string, answer: string) => string | number | undefined): void {
	world.wire = async ({ method, url, headers, body }) => {
		const { pathname, search } = new URL(url);
		const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
		const answer = await world.sandbox.handle({ method, target: pathname + search, headers: lower, body: body ?? new Uint8Array() });
		const changed = change(`${method} ${pathname}`, new TextDecoder().decode(answer.body));
		if (changed === undefined) return { kind: "sent", reason: "the connection was reset" };
		if (typeof changed === "number") return answered(changed, "{}");
		return { kind: "answer", ...answer, body: new TextEncoder().encode(changed) };
	};
}
