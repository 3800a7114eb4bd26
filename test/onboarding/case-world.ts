/**
 * Worlds with a journal on disk, for cases: what one run wrote, the next one reads.
 */
import { readFileSync } from "node:fs";
import { newFolder, open } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { answered, makeWorld, type Ran, type World } from "../support/purser.js";
import { sandboxAnswer } from "../support/world-wire.js";

/** A case of `test/cases`. */
export const textOf = (name: string): string => readFileSync(new URL(`../cases/${name}.yaml`, import.meta.url), "utf8");

/** The case that most tests apply, and who is in it. */
export const layers = textOf("three-layers");
export const everybody = ["Ada Example", "Example Base GmbH", "Example Middle BV", "Example Top Ltd", "Grace Sample", "Lin Muster"];

/** @param options as `makeWorld` takes them; the journal is real and shared by all runs of the world */
export async function caseWorld(options: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
	const folder = newFolder();
	return makeWorld({
		...options,
		openJournal: async (clock, profile) =>
			open(folder, { clock: clock as never, profile: { name: profile.name, environment: profile.environment } }),
	});
}

/** Words of a line, parted by blanks; a list is taken as it is. */
export const words = (...parts: readonly (string | readonly string[])[]): string[] =>
	parts.flatMap((part) => (typeof part === "string" ? part.split(" ").filter(Boolean) : part));

/** Applies `case.yaml`. */
export const apply = (world: World, ...more: readonly (string | readonly string[])[]): Promise<Ran> =>
	world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...words(...more)]);

/** A world with a case in `case.yaml`. */
export async function caseIn(text: string): Promise<World> {
	const world = await caseWorld();
	put(world, "case.yaml", text);
	return world;
}

/** A world in which a case is applied; then it is written anew, and what was sent is forgotten. */
export async function appliedCase(text = layers, later = text): Promise<World> {
	const world = await caseIn(text);
	const ran = await apply(world);
	if (ran.exit !== 0) throw new Error(`The case was not applied: ${ran.stderr}${ran.stdout}`);
	put(world, "case.yaml", later);
	world.requests.length = 0;
	return world;
}

/** What was sent and changes something, as `METHOD /path body`. */
export const changes = (world: World): string[] =>
	world.requests.filter(({ method }) => method !== "GET").map(({ line, body }) => `${line} ${body}`);

/** The error of a run for programs. */
export const errorOf = ({ stderr }: Ran) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

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
	world.wire = async (request) => {
		const answer = await sandboxAnswer(world, request);
		const changed = change(`${request.method} ${new URL(request.url).pathname}`, new TextDecoder().decode(answer.body));
		if (changed === undefined) return { kind: "sent", reason: "the connection was reset" };
		if (typeof changed === "number") return answered(changed, "{}");
		return { kind: "answer", ...answer, body: new TextEncoder().encode(changed) };
	};
}
