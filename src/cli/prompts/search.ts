/**
 * A list that narrows as one types. The library's own list ignores Enter while it narrows, so that an Enter pasted together with a text is
 * lost; here what is typed is matched at once, and an Enter that came before anybody could see the matches never picks one of several.
 */

import { styleText } from "node:util";
import {
	createPrompt,
	isDownKey,
	isEnterKey,
	isTabKey,
	isUpKey,
	makeTheme,
	useEffect,
	useKeypress,
	usePagination,
	usePrefix,
	useRef,
	useState,
} from "@inquirer/core";
import { foldCase, type Option } from "./narrowing.js";

const dim = (text: string): string => styleText("dim", text);
const bold = (text: string): string => styleText("bold", text);
const accent = (text: string): string => styleText("cyan", text);

export interface SearchQuestion {
	message: string;
	/** The options that match a term; called anew for each. */
	source(term: string): readonly Option[];
	/** The option that stands first at the beginning. */
	default?: string;
	/** Returns true, or what is wrong with an answer. */
	validate(value: string): true | string;
	/** Whether an option is one of the list, and not what was typed. */
	answers(value: string): boolean;
	/** For money: an option is never picked before it was seen, not even the only one. */
	isSeenFirst: boolean;
}

/** Options shown at a time. */
const shown = 7;
/** Milliseconds after which what is drawn counts as seen. A pasted Enter comes sooner, a typed one hardly ever. */
const seenAfter = 20;

/** The prompt, by the library's rules for prompts of one's own. */
export const searchPrompt = createPrompt<string, SearchQuestion>((config, done) => {
	const { source, validate, answers, isSeenFirst } = config;
	const theme = makeTheme({});
	const [status, setStatus] = useState<"idle" | "done">("idle");
	const [term, setTerm] = useState("");
	const [moved, setMoved] = useState<number | undefined>(undefined);
	const [remark, setRemark] = useState<string | undefined>(undefined);
	const changedAt = useRef<number>(Number.NEGATIVE_INFINITY);
	const prefix = usePrefix({ status, theme });
	const options = source(term);
	const first = Math.max(
		0,
		options.findIndex(({ value }) => term === "" && value === config.default),
	);
	const active = moved ?? first;
	const selected = options[active];

	const narrow = (text: string): void => {
		if (text === term) return;
		changedAt.current = performance.now();
		setTerm(text);
		setMoved(undefined);
		setRemark(undefined);
	};
	/** Whether the list as it is may have been read before this Enter, or leaves nothing to choose. */
	const isDeliberate = (): boolean => {
		if (performance.now() - changedAt.current >= seenAfter) return true;
		if (isSeenFirst || selected === undefined) return false;
		const found = options.filter(({ value }) => answers(value));
		// A code or a name that was typed whole is meant, although it is a part of others.
		const named = found.filter(({ value, short }) => [value, short].some((one) => foldCase(one) === foldCase(term.trim())));
		const [only] = named.length > 0 ? named : found;
		return options.length === 1 ? selected.value !== "" : only === selected && (named.length || found.length) === 1;
	};

	// What was typed while the list was being read narrows it, and is never an answer to a list that nobody has seen.
	useEffect((rl) => {
		const [typed = "", ...more] = (rl as { history?: readonly string[] }).history ?? [];
		if (rl.line === "" && more.length === 0) rl.write(typed);
		if (rl.line === "") return;
		setTerm(rl.line);
		setRemark(typed === "" ? undefined : "Choose one, then Enter again");
	}, []);
	const enter = (): void => {
		if (selected === undefined) return;
		if (!isDeliberate()) {
			changedAt.current = Number.NEGATIVE_INFINITY;
			setRemark(options.length === 1 ? "Enter again chooses it" : `${options.length} match: choose one, then Enter again`);
			return;
		}
		const fault = validate(selected.value);
		if (fault === true) {
			setStatus("done");
			done(selected.value);
		} else if (selected.value !== "") setRemark(fault);
	};
	const move = (by: 1 | -1): void => {
		if (options[active + by] !== undefined) setMoved(active + by);
	};
	useKeypress((key, rl) => {
		if (status === "done") return;
		// The library's line is empty after Enter, and another one after an arrow key; the text goes on being typed.
		if (isEnterKey(key)) rl.write(term);
		else if (isTabKey(key) || isUpKey(key) || isDownKey(key)) {
			rl.clearLine(0);
			rl.write(isTabKey(key) ? completed(selected, term) : term);
		}
		if (isEnterKey(key)) enter();
		else if (isUpKey(key) || isDownKey(key)) move(isUpKey(key) ? -1 : 1);
		else narrow(rl.line);
	});

	const page = usePagination({
		items: options,
		active,
		renderItem: ({ item, isActive }) => {
			const line = `${isActive ? "❯" : " "} ${item.name}`;
			return isActive ? accent(line) : line;
		},
		pageSize: shown,
		loop: false,
	});
	const message = theme.style.message(config.message, status);
	if (status === "done" && selected) return [prefix, message, theme.style.answer(selected.short)].join(" ").trimEnd();
	const header = [prefix, message, accent(term)].filter(Boolean).join(" ").trimEnd();
	const body = [
		options.length === 0 && term !== "" ? theme.style.error("No results found") : page,
		remark === undefined ? undefined : theme.style.error(remark),
		" ",
		selected?.description === undefined ? undefined : accent(selected.description),
		`${bold("↑↓")} ${dim("navigate")} ${dim("•")} ${bold("⏎")} ${dim("select")}`,
	];
	return [
		header,
		body
			.filter((line) => line !== undefined)
			.join("\n")
			.trimEnd(),
	];
});

/** What Tab makes of the text: the name that the cursor is at. */
const completed = (selected: Option | undefined, term: string): string =>
	selected === undefined || selected.value === "" ? term : (selected.name.split("\n")[0] ?? "");
