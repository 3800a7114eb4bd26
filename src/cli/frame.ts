import { adviceText } from "../api/advice.js";
import { type IdForms, plainId } from "../api/text/ids.js";
import { sanitizeLine } from "../api/text/sanitize.js";
import type { Runtime } from "../context.js";
import type { Advice } from "../errors.js";
import type { KnownRecord, NameOf } from "../ports/resolver.js";
import type { Style } from "../ports/style.js";
import { colourLevel, type Global, isSet } from "./input/options.js";

import { makeReporter, type RunReporter } from "./output/reporter.js";
import { makeStyle, type Paint, paintOf } from "./output/style.js";
import { localizedTimes } from "./output/times.js";

export interface Frame {
	global: Global;
	style: Style;
	errors: Style;
	reporter: RunReporter;
	/** Makes text of an advice. Its commands name the profile that was given to this run. */
	readonly shown: (advice: Advice) => string;
	/** A person answered prompts for what the run is about to send, so that it is shown and asked about once more. */
	prompted: boolean;
	/** Records that the run knows by name: commands for people name them so. */
	readonly known: Map<string, KnownRecord>;
	/** From then on texts are shown by the profile's forms of ids. */
	useIds(forms: IdForms): void;
	/** From then on texts call records by these names. */
	useNames(names: NameOf): void;
}

export async function makeFrame(global: Global, { system, clock }: Runtime, paths: readonly string[] = []): Promise<Frame> {
	const ids: { -readonly [Kind in keyof IdForms]: IdForms[Kind] } = {};
	let names: NameOf = () => undefined;
	const called: NameOf = (kind, id) => {
		const name = names(kind, id);
		return name === undefined ? undefined : sanitizeLine(name);
	};
	const { stdout, stderr } = system.terminal;
	const coloursOf = (output: typeof stdout) => colourLevel(global.colour, system.env, output.isTerminal ? output.colours : 0);
	const named = shownWith(global.profile ?? system.env.PURSER_PROFILE, paths, ids);
	const { people } = global.format;
	const known: Frame["known"] = new Map();
	const knowing = (of: Frame["known"]): Frame["shown"] => (people ? (advice) => named(forPeople(advice, global.utc, of)) : named);
	// What is kept, such as a page, has ids: a name in it may be a person's.
	const [withIds, shown] = [knowing(new Map()), knowing(known)];
	const [out, err] = await Promise.all([stdout, stderr].map((output) => paintOf(coloursOf(output))));
	// A run waits for answers, so what it shows at its end is told by the time of then, and fits the width of then.
	const styleOn = (output: typeof stdout, paint: Paint): Style =>
		makeStyle({
			...{ paint, now: () => clock.now(), utc: global.utc, verbose: global.verbose, shown, ids, called },
			get columns() {
				return output.columns;
			},
		});
	const [style, errors] = [styleOn(stdout, out as Paint), styleOn(stderr, err as Paint)];
	const spinner = stderr.isTerminal && !isSet(system.env.CI) && !isSet(system.env.ACCESSIBLE);
	const coloured = coloursOf(stderr) > 0;
	const reporter = makeReporter({ stdout, stderr, global, spinner, coloured, style, errors, shown: withIds, shownHere: shown });
	return {
		...{ global, style, errors, reporter, shown, known },
		prompted: false,
		useIds: (forms) => void Object.assign(ids, forms),
		useNames: (own) => {
			names = own;
		},
	};
}

/**
 * The texts between commands with their times by the wall's clock, and the commands with what a person types in the place of an id, where the
 * run knows that.
 */
function forPeople(advice: Advice, utc: boolean, known: Frame["known"]): Advice {
	if (typeof advice === "string") return localizedTimes(advice, utc);
	if (!("words" in advice)) return advice.map((part) => forPeople(part, utc, known));
	const words = advice.words.map((word) => {
		const typed = typeof word === "string" || word.path ? undefined : known.get(plainId(word.value))?.typed;
		return typed === undefined ? word : { value: typed };
	});
	return { ...advice, words };
}

/**
 * Adds the profile to suggested commands where a flag or a variable named it: a copied command may be run in another terminal. The
 * profile in use needs no name.
 */
function shownWith(profile: string | undefined, paths: readonly string[], ids: IdForms): Frame["shown"] {
	if (!profile) return (advice) => adviceText(advice, undefined, ids);
	const named = { name: sanitizeLine(profile), paths: new Set(paths) };
	return (advice) => adviceText(advice, named, ids);
}
