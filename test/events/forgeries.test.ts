/**
 * 20,000 deliveries that nobody with the secret has sent so: forged, cut, written in another way, replayed late. None is accepted.
 */
import { expect, test } from "vitest";
import { schemeFaults } from "../../src/events/schemes.js";
import { type Delivery, verdictOn } from "../../src/events/verdict.js";
import type { EventScheme, Verdict } from "../../src/ports/event-schemes.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { ed25519Sender, githubSender, type Sender, sha512Sender, standardSender, stripeSender, type Unsigned } from "./senders.js";

const now = 1_700_000_000_000;
const senders: readonly Sender[] = [
	standardSender("webhook"),
	standardSender("svix"),
	ed25519Sender(),
	stripeSender(),
	githubSender(),
	sha512Sender(),
];

type Check = (delivery: Delivery, scheme: EventScheme, secrets: readonly string[], now: number) => Verdict;

const bodyOf = (random: Random): Buffer =>
	Buffer.from(
		JSON.stringify({ type: "transaction.approved", data: { id: `t-${random.below(1e9)}`, status: "APPROVED", name: "Zoë \u{1f600}" } }),
	);

const genuineOf = (random: Random): Unsigned => ({
	id: `msg_${random.below(1e9)}`,
	time: String(now / 1_000 - 50 + random.below(100)),
	body: bodyOf(random),
});

/** A delivery that is not the sender's, made of one that is. */
type Forgery = (sender: Sender, genuine: Unsigned, random: Random) => { headers: Record<string, string | string[]>; body: Buffer };

const changed = (body: Buffer, random: Random): Buffer => {
	const other = Buffer.from(body);
	const at = random.below(other.length);
	other[at] = (other[at] as number) ^ (1 << random.below(8));
	return other;
};

/** The headers with another signature; whatever stands before it stays. */
function resigned(headers: Record<string, string>, change: (signature: string) => string | string[]): Record<string, string | string[]> {
	const name = Object.keys(headers).find((one) => one.includes("signature")) as string;
	return { ...headers, [name]: change(headers[name] as string) };
}

const hasTime = ({ scheme }: Sender): boolean => scheme.signed.includes("timestamp");
const hasId = ({ scheme, name }: Sender): boolean => scheme.signed.includes("id") && name !== "";

const forgeries: Readonly<Record<string, Forgery>> = {
	"a bit of the body is another": (sender, genuine, random) => ({
		headers: sender.headers(genuine),
		body: changed(genuine.body, random),
	}),
	"the body is cut": (sender, genuine, random) => ({
		headers: sender.headers(genuine),
		body: genuine.body.subarray(0, random.below(genuine.body.length)),
	}),
	"the body has more behind it": (sender, genuine, random) => ({
		headers: sender.headers(genuine),
		body: Buffer.concat([genuine.body, Buffer.from(random.pick([" ", "\n", "\0", "{}", "\r\n"]))]),
	}),
	"the body is another": (sender, genuine, random) => ({ headers: sender.headers(genuine), body: bodyOf(random) }),
	"the same JSON is written in another way": (sender, genuine, random) => ({
		headers: sender.headers(genuine),
		body: random.pick([
			Buffer.from(JSON.stringify(JSON.parse(genuine.body.toString()), null, 1)),
			Buffer.from(genuine.body.toString().replace("ë", "\\u00eb")),
			Buffer.from(genuine.body.toString().normalize("NFD")),
			Buffer.from(genuine.body.toString(), "latin1"),
			Buffer.from(genuine.body.toString(), "utf16le"),
			Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), genuine.body]),
		]),
	}),
	"another secret signed it": (sender, genuine) => ({ headers: sender.other().headers(genuine), body: genuine.body }),
	"the signature is of another delivery": (sender, genuine, random) => {
		const own = sender.headers(genuine);
		const foreign = sender.headers({ ...genuine, body: changed(genuine.body, random) });
		const name = Object.keys(own).find((one) => one.includes("signature")) as string;
		return { headers: { ...own, [name]: foreign[name] as string }, body: genuine.body };
	},
	"the signature is cut or longer": (sender, genuine, random) => ({
		headers: resigned(sender.headers(genuine), (one) =>
			random.pick([one.slice(0, -1 - random.below(40)), `${one}A`, `${one}==`, `${one}00`]),
		),
		body: genuine.body,
	}),
	"the signature is empty or a word": (sender, genuine, random) => ({
		headers: resigned(sender.headers(genuine), () =>
			random.pick(["", "v1,", "v1=", "sha256=", "none", "v1,none", "t=1700000000,v1=", ","]),
		),
		body: genuine.body,
	}),
	"a sign of the signature is another": (sender, genuine, random) => ({
		headers: resigned(sender.headers(genuine), (one) => {
			// Only signs of the signature itself, and no change of case, which hexadecimal digits allow.
			const from =
				Math.max(one.lastIndexOf(","), sender.name === "webhook" || sender.name === "svix" ? 0 : one.lastIndexOf("=", one.length - 3)) + 1;
			const at = from + random.below(one.length - 3 - from);
			return one.slice(0, at) + (one[at] === "0" ? "1" : "0") + one.slice(at + 1);
		}),
		body: genuine.body,
	}),
	"the header is there twice": (sender, genuine) => ({
		headers: resigned(sender.headers(genuine), (one) => [one, one]),
		body: genuine.body,
	}),
	"no header of a signature": (sender, genuine) => ({
		headers: Object.fromEntries(Object.entries(sender.headers(genuine)).filter(([name]) => !name.includes("signature"))),
		body: genuine.body,
	}),
	"the label is of another method": (sender, genuine, random) => ({
		headers: resigned(sender.headers(genuine), (one) =>
			sender.name === "sha512"
				? `v1,${one}`
				: one.replace(/(v1a|v1|sha256)([,=])/, (_, _label, sign) => `${random.pick(["v0", "v2", "V1", "sha1", "v1 "])}${sign}`),
		),
		body: genuine.body,
	}),
	"it is late": (sender, genuine, random) => {
		if (!hasTime(sender)) return forgeries["the body is cut"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const time = String(now / 1_000 - (sender.scheme.tolerance ?? 0) - 1 - random.below(1e6));
		return { headers: sender.headers({ ...genuine, time }), body: genuine.body };
	},
	"it is from the future": (sender, genuine, random) => {
		if (!hasTime(sender)) return forgeries["the body is cut"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const time = String(now / 1_000 + (sender.scheme.tolerance ?? 0) + 1 + random.below(1e6));
		return { headers: sender.headers({ ...genuine, time }), body: genuine.body };
	},
	"a late one is given a new time": (sender, genuine, random) => {
		if (!hasTime(sender)) return forgeries["the body is cut"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const late = sender.headers({ ...genuine, time: String(now / 1_000 - 100_000) });
		const headers = Object.fromEntries(
			Object.entries(late).map(([name, value]) => [name, value.replace(String(now / 1_000 - 100_000), String(now / 1_000))]),
		);
		return { headers, body: genuine.body };
	},
	"a time that is none": (sender, genuine, random) => {
		if (!hasTime(sender)) return forgeries["the body is cut"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const time = random.pick(["", "-1", "1.7e9", "NaN", "0x6553f100", "1700000000.0", " 1700000000x", "01700000000", "٣"]);
		return { headers: sender.headers({ ...genuine, time }), body: genuine.body };
	},
	"the id is another": (sender, genuine, random) => {
		if (!hasId(sender)) return forgeries["the body is cut"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const headers = sender.headers(genuine);
		const name = Object.keys(headers).find((one) => one.endsWith("-id")) as string;
		return { headers: { ...headers, [name]: random.pick([`${genuine.id}0`, "", `${genuine.id} `, `${genuine.id}.`]) }, body: genuine.body };
	},
	"the parts are cut in another place": (sender, genuine, random) => {
		// The same bytes are signed: the id and the time end elsewhere.
		const id = `${genuine.id}.${genuine.time}`;
		const shifted = { id, time: "1", body: genuine.body };
		const signed = { id: genuine.id, time: genuine.time, body: Buffer.concat([Buffer.from("1."), genuine.body]) };
		if (!hasId(sender)) return forgeries["the body is another"]?.(sender, genuine, random) as ReturnType<Forgery>;
		const headers = sender.headers(signed);
		const own = sender.headers(shifted);
		const name = Object.keys(own).find((one) => one.includes("signature")) as string;
		return { headers: { ...own, [name]: headers[name] as string }, body: genuine.body };
	},
};

/** How many of so many forgeries a check accepts, and of which kinds. */
function campaign(check: Check, seed: number, count: number): { accepted: number; kinds: Set<string>; refused: number } {
	const random = new Random(seed);
	const kinds = new Set<string>();
	let [accepted, refused] = [0, 0];
	for (let done = 0; done < count; done++) {
		const sender = random.pick(senders);
		const genuine = genuineOf(random);
		const [kind, forge] = random.pick(Object.entries(forgeries));
		const secrets = random.often(0.3) ? [sender.other().other().secret, sender.secret] : [sender.secret];
		if (done % 4 === 0 && !check({ headers: sender.headers(genuine), body: genuine.body }, sender.scheme, secrets, now).isGenuine)
			refused += 1;
		if (!check(forge(sender, genuine, random), sender.scheme, secrets, now).isGenuine) continue;
		accepted += 1;
		kinds.add(`${sender.name}: ${kind}`);
	}
	return { accepted, kinds, refused };
}

const seed = seedOfRun("forged deliveries");

test("the senders' schemes can be used", () => {
	expect(senders.map(({ scheme }) => schemeFaults(scheme))).toEqual(senders.map(() => []));
});

test("of 20,000 forged deliveries none is accepted, and of 5,000 genuine ones each", () => {
	expect(campaign(verdictOn, seed, 20_000)).toEqual({ accepted: 0, kinds: new Set(), refused: 0 });
});

test("a check that compares nothing is caught, and one that forgets the time", () => {
	const any: Check = () => ({ isGenuine: true });
	expect(campaign(any, seed, 2_000).accepted).toBe(2_000);
	const ageless: Check = (delivery, scheme, secrets, at) => {
		const found = verdictOn(delivery, scheme, secrets, at);
		return !found.isGenuine && found.why.startsWith("too-") ? { isGenuine: true } : found;
	};
	expect([...campaign(ageless, seed, 5_000).kinds]).toContain("stripe: it is late");
});
