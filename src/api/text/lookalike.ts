/**
 * Texts that look alike and are not the same: an id copied from a document may have a Cyrillic `А`, a wide digit or an invisible character.
 */
import { codePoint } from "./invisible.js";

/**
 * The one form in which names and ids are compared and sent: composed (NFC). A Mac writes `é` of a file's name as two characters, a keyboard
 * as one; nobody sees the difference, and a service that compares bytes would see two companies.
 */
export const composed = (text: string): string => text.normalize("NFC");

/** Whether two texts differ at most in their form; two missing ones do not. */
export function sameText(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return one === other || composed(one) === composed(other);
}

/** Letters that most fonts draw as a Latin one, after it: of Cyrillic, Greek and Armenian. */
const lookalikes: readonly string[] = [
	"AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙӀ JЈͿ KКΚ MМΜ NΝ OОΟՕ PРΡ SЅՏ TТΤ UՍ XХΧ YҮΥ ZΖ",
	"aаɑ cсϲ dԁ eе gɡց hһհ iіι jјϳ lӏ nո oоοօ pрρ qԛ sѕ uսυ vνѵ wԝ xх yуγ",
	"-‐‑‒–—−﹣ '’‘ʼ′ _‗",
];

const latinOf: ReadonlyMap<string, string> = new Map(
	lookalikes.flatMap((line) => line.split(" ").flatMap(([latin = "", ...others]) => others.map((other) => [other, latin] as const))),
);

/** What a person sees of a text: without what is invisible, other forms of a character as the usual one. */
function drawn(text: string): string {
	const usual = [...text].map((character) => latinOf.get(character) ?? character).join("");
	const plain = usual.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
	return [...plain]
		.map((character) => latinOf.get(character) ?? character)
		.join("")
		.replace(/\s+/g, " ")
		.trim();
}

/** Between two of these none is a look-alike: `O` and `0` stand in many ids side by side. */
const isPlain = (text: string): boolean => /^[!-~]*$/.test(text);

/** Whether two texts look alike although they are not the same. */
export function isLookalike(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined || (isPlain(one) && isPlain(other)) || sameText(one, other)) return false;
	return drawn(one) === drawn(other);
}

/** Most code points that are named of one text: one id differs from another in few. */
const mostNamed = 8;

/**
 * Where two texts differ, by code points: `U+0410 where the other has U+0041`. What only one of them has is named as such.
 * @returns of the first text, then of the second, without what both begin and end with; `nothing` where one is just longer
 */
export function differingPoints(one: string, other: string): [string, string] {
	const [left, right] = [[...one], [...other]];
	let start = 0;
	while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
	let end = 0;
	while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
	return [pointsOf(left.slice(start, left.length - end)), pointsOf(right.slice(start, right.length - end))];
}

function pointsOf(characters: readonly string[]): string {
	if (characters.length === 0) return "nothing";
	const points = characters.slice(0, mostNamed).map(codePoint).join(" ");
	return characters.length > mostNamed ? `${points} …` : points;
}
