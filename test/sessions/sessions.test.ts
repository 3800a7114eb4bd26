/**
 * Sessions of an agent at real terminals, with the built program and its sandbox. At 80 columns in UTF-8 the screens are compared with
 * those recorded in `recorded/`; record them anew, after a look at the difference, with
 *
 *     npm run build && npx vitest run --config .config/vitest.js test/sessions -u
 *
 * Two other terminals are held to the rules in `rules.ts`: a narrow one without colours, which must lose nothing that the first one
 * shows, and a wide one with ACCESSIBLE.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { screenOf } from "../support/screen.js";
import { type Desk, newDesk, type Setting, type Shot } from "./desk.js";
import { type LivePlace, startLive } from "./live.js";
import { normalised, recordedBlocks, recordedText } from "./recorded.js";
import { colours, cutIds, cutWords, lostValues, redrawn, tooWide } from "./rules.js";
import { type WalkName, walks } from "./walks.js";

const settings = {
	"80 columns": { columns: 80 },
	"60 columns, no colours": { columns: 60, plain: true },
	"120 columns, accessible": { columns: 120, accessible: true },
} as const satisfies Record<string, Setting>;
type SettingName = keyof typeof settings;

const settingNames = Object.keys(settings) as SettingName[];
const walkNames = Object.keys(walks) as WalkName[];

let live: LivePlace;
const shots = new Map<string, readonly Shot[]>();
const shotsOf = (setting: SettingName, walk: WalkName): readonly Shot[] => shots.get(`${setting}: ${walk}`) ?? [];

/** One terminal after the other would wait for the program most of the time. */
beforeAll(async () => {
	live = await startLive();
	await Promise.all(settingNames.map(walkAll));
});
afterAll(() => live.end());

async function walkAll(name: SettingName): Promise<void> {
	const desk: Desk = await newDesk(settings[name]);
	try {
		for (const walk of walkNames) {
			const before = desk.shots.length;
			await walks[walk](desk, live.env);
			shots.set(`${name}: ${walk}`, desk.shots.slice(before));
		}
	} catch (cause) {
		throw new Error(`${name}: ${cause}`, { cause });
	} finally {
		await desk.leave();
	}
}

/** The screen at the end of a command, with what differs between two runs replaced. */
async function screenAt(setting: SettingName, walk: WalkName, at: number) {
	const shot = shotsOf(setting, walk)[at] as Shot;
	const screen = await screenOf(shot.raw, settings[setting].columns);
	return { shot, screen, compared: { ...screen, lines: normalised(screen.lines) } };
}

describe.each(walkNames)("%s", (walk) => {
	// The wizard's screens are recorded with the first task.
	test.skipIf(walk === "wizard")("at 80 columns it is as recorded", async () => {
		await expect(recordedText(await recordedBlocks(shotsOf("80 columns", walk), 80))).toMatchFileSnapshot(`recorded/${walk}.txt`);
	});

	test.each(settingNames)("%s: nothing is broken, cut or lost", async (name) => {
		const { accessible, plain }: Setting = settings[name];
		const wideName = accessible ? name : "80 columns";
		const faults: string[] = [];
		for (const [at, { line, exit }] of shotsOf(name, walk).entries()) {
			const { screen, compared } = await screenAt(name, walk, at);
			const wide = await screenAt(wideName, walk, at);
			const found = [
				...tooWide(screen),
				...cutIds(screen),
				...cutWords(compared, [wide.compared]),
				...lostValues(compared, wide.compared),
				...(plain ? colours(screen) : []),
				...(accessible ? redrawn(screen) : []),
				...(exit === wide.shot.exit ? [] : [`exit ${exit}, not ${wide.shot.exit}`]),
			];
			faults.push(...found.map((fault) => `${line}: ${fault}`));
		}
		expect(faults).toEqual([]);
		expect(shotsOf(name, walk).length).toBeGreaterThan(1);
	});
});

test("nothing was sent to the live service", () => {
	expect(live.changes).toEqual([]);
});
