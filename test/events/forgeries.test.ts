/**
 * 20,000 deliveries that nobody with the secret has sent so: forged, cut, written in another way, replayed late. None is accepted.
 */
import { expect, test } from "vitest";
import { verdictOn } from "../../src/events/verdict.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { type Sender, standardSender, type Unsigned } from "./senders.js";

const now = 1_700_000_000_000;
const senders: readonly Sender[] = [standardSender("webhook"), standardSender("svix")];

const bodyOf = (random: Random): Buffer =>
	Buffer.from(
		JSON.stringify({
			type: "transaction.approved",
			data: { id: `t-${random.below(1e9)}`, status: "APPROVED", name: "Zoë \u{1f600} \ufffd" },
		}),
	);

const genuineOf = (random: Random): Unsigned => ({
	id: `msg_${random.below(1e9)}`,
	time: String(now / 1_000 - 50 + random.below(100)),
	body: bodyOf(random),
});

const bitOf = (body: Buffer, random: Random): Buffer => {
	const other = Buffer.from(body);
	const at = random.below(other.length);
	other[at] = (other[at] as number) ^ (1 << random.below(8));
	return other;
};

type Headers = Record<string, string | string[]>;

/** A body that is not the one that was signed. */
const bodies: Readonly<Record<string, (body: Buffer, random: Random) => Buffer>> = {
	"a bit of the body is another": bitOf,
	"the body is cut": (body, random) => body.subarray(0, random.below(body.length)),
	"the body has more behind it": (body, random) => Buffer.concat([body, Buffer.from(random.pick([" ", "\n", "\0", "{}", "\r\n"]))]),
	"the body is another": (_, random) => bodyOf(random),
	"the same JSON is written in another way": (body, random) => {
		const text = body.toString();
		return random.pick([
			Buffer.from(JSON.stringify(JSON.parse(text), null, 1)),
			Buffer.from(text.replace("ë", "\\u00eb")),
			Buffer.from(text.normalize("NFD")),
			Buffer.from(text, "latin1"),
			Buffer.from(text, "utf16le"),
			Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
		]);
	},
	"a broken character stands for U+FFFD": (body, random) => {
		const at = body.indexOf("\ufffd");
		return Buffer.concat([body.subarray(0, at), Buffer.from([random.pick([0xff, 0xfe, 0xc0])]), body.subarray(at + 3)]);
	},
};

/** A signature that is not the one that was made; undefined leaves the header out. */
const signatures: Readonly<Record<string, (signature: string, random: Random) => string | string[] | undefined>> = {
	"the signature is cut or longer": (one, random) =>
		random.pick([
			...[one.slice(0, -1 - random.below(40)), `${one}A`, `${one}==`, `${one}00`, `${one},x`],
			...[one.replace(/=$/, ""), one.replace(",", ", "), one.replace("v1,", "v1,\u00a0"), one.replace("=", "-")],
		]),
	"the signature is empty or a word": (_, random) => random.pick(["", "v1,", "v1=", "sha256=", "none", "v1,none", "t=1700000000,v1=", ","]),
	"a sign of the signature is another": (one, random) => {
		const at = 3 + random.below(one.length - 6);
		return one.slice(0, at) + (one[at] === "0" ? "1" : "0") + one.slice(at + 1);
	},
	"the header is there twice": (one) => [one, one],
	"no header of a signature": () => undefined,
	"the label is of another method": (one, random) => one.replace("v1,", random.pick(["v0,", "v1a,", "v2,", "V1,", "v1 ,", "v1=", ","])),
	"it has too many signatures": (one) => `${"v1,AAAA ".repeat(20)}${one}`,
};

/** Headers that were not signed so. */
const others: Readonly<Record<string, (sender: Sender, genuine: Unsigned, random: Random) => Headers>> = {
	"another secret signed it": (sender, genuine) => sender.other().headers(genuine),
	"the signature is of another delivery": (sender, genuine, random) => sender.headers({ ...genuine, body: bitOf(genuine.body, random) }),
	"it is late": (sender, genuine, random) => sender.headers({ ...genuine, time: String(now / 1_000 - 301 - random.below(1e6)) }),
	"it is from the future": (sender, genuine, random) => sender.headers({ ...genuine, time: String(now / 1_000 + 301 + random.below(1e6)) }),
	"a late one is given a new time": (sender, genuine) => ({
		...sender.headers({ ...genuine, time: String(now / 1_000 - 100_000) }),
		[`${sender.family}-timestamp`]: String(now / 1_000),
	}),
	"a time that is none, though it was signed": (sender, genuine, random) =>
		sender.headers({ ...genuine, time: random.pick(["", "-1", "1.7e9", "NaN", "0x6553f100", "1700000000.0", "01700000000", "٣"]) }),
	"a time with more round it": (sender, genuine, random) => ({
		...sender.headers(genuine),
		[`${sender.family}-timestamp`]: random.pick([
			`${genuine.time}x`,
			`${genuine.time}.5`,
			`+${genuine.time}`,
			` ${genuine.time}`,
			`0${genuine.time}`,
		]),
	}),
	"the id is another": (sender, genuine, random) => ({
		...sender.headers(genuine),
		[`${sender.family}-id`]: random.pick([`${genuine.id}0`, "", `${genuine.id} `, `${genuine.id}.`]),
	}),
	"the headers are of both families in part": (sender, genuine) => {
		const other = sender.family === "svix" ? "webhook" : "svix";
		const { [`${sender.family}-id`]: id = "", ...left } = sender.headers(genuine);
		return { ...left, [`${other}-id`]: id };
	},
	// The same bytes are signed: the id and the time end elsewhere.
	"the parts are cut in another place": (sender, { id, time, body }) => ({
		...sender.headers({ id: `${id}.${time}`, time: "1", body }),
		[`${sender.family}-signature`]: sender.headers({ id, time, body: Buffer.concat([Buffer.from("1."), body]) })[
			`${sender.family}-signature`
		] as string,
	}),
};

/** A delivery that is not the sender's, made of one that is. */
function forged(kind: string, sender: Sender, genuine: Unsigned, random: Random): { headers: Headers; body: Buffer } {
	const { body } = genuine;
	const own = sender.headers(genuine);
	const name = `${sender.family}-signature`;
	if (kind in bodies) return { headers: own, body: (bodies[kind] as (typeof bodies)[string])(body, random) };
	if (kind in others) return { headers: (others[kind] as (typeof others)[string])(sender, genuine, random), body };
	const { [name]: signature = "", ...left } = own;
	const other = (signatures[kind] as (typeof signatures)[string])(signature, random);
	return { headers: other === undefined ? left : { ...left, [name]: other }, body };
}

const kinds = [...Object.keys(bodies), ...Object.keys(signatures), ...Object.keys(others)];

/** How many of so many forgeries a check accepts, and of which kinds; and how many of the genuine ones it refuses. */
function campaign(check: typeof verdictOn, seed: number, count: number) {
	const random = new Random(seed);
	const taken = new Set<string>();
	let [accepted, refused] = [0, 0];
	for (let done = 0; done < count; done++) {
		const sender = random.pick(senders);
		const genuine = genuineOf(random);
		const kind = random.pick(kinds);
		const secrets = random.often(0.3) ? [sender.other().other().secret, sender.secret] : [sender.secret];
		if (done % 4 === 0 && !check({ headers: sender.headers(genuine), body: genuine.body }, secrets, now).isGenuine) refused += 1;
		if (!check(forged(kind, sender, genuine, random), secrets, now).isGenuine) continue;
		accepted += 1;
		taken.add(kind);
	}
	return { accepted, kinds: [...taken], refused };
}

const seed = seedOfRun("forged deliveries");

test("of 20,000 forged deliveries none is accepted, and of 5,000 genuine ones each", () => {
	expect(campaign(verdictOn, seed, 20_000)).toEqual({ accepted: 0, kinds: [], refused: 0 });
});

test("a check that compares nothing is caught, and one that forgets the time", () => {
	expect(campaign(() => ({ isGenuine: true, id: "", at: 0 }), seed, 2_000).accepted).toBe(2_000);
	const ageless: typeof verdictOn = (delivery, secrets, at) => {
		const found = verdictOn(delivery, secrets, at);
		return !found.isGenuine && found.why.startsWith("too-") ? { isGenuine: true, id: "", at } : found;
	};
	expect(campaign(ageless, seed, 5_000).kinds.sort()).toEqual(["it is from the future", "it is late"]);
});
