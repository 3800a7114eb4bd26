/**
 * From a foreign document to the first right payment: a person who knows the service answers, and the sandbox speaks as the service does.
 */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { OperationBinding } from "../../src/ports/binding.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Profile } from "../../src/ports/profiles.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { bindingOf, documentPath, foreign } from "../openapi/documents/foreign.js";
import { makeWorld } from "../support/purser.js";
import type { Asked } from "../support/world.js";

const later = "\0later";

/** Answers as somebody does who wants to pay between ledgers, and knows how the service writes it. */
function personOf(binding: OperationBinding, right: string): (asked: Asked) => string | boolean {
	const fields = binding.request?.fields ?? {};
	const place = (ours: string): string => `${fields[ours]?.place} ${binding.request?.record ?? ""}${fields[ours]?.at}`;
	const known: [RegExp, (asked: Asked) => string | boolean][] = [
		[/^Are these the payments\?$/, () => "\0yes"],
		[
			/^Which is "Create an inter-ledger transaction"\?$/,
			({ choices }) => choices?.find(({ label }) => label === right)?.value ?? "\0another",
		],
		[/^Which is|^Are these \d+ right/, () => later],
		[/^How is an amount/, () => fields.amount?.codec ?? "number"],
		[/^Which field says who is debited/, () => place("ledgerFromId")],
		[/^Which field says who is credited: the ledger/, () => place("ledgerToId")],
		[/^Which field holds the text/, () => place("reference")],
		[/^What does an id of this service look like/, () => ""],
		[/^Which number has the first page|^How many records may be asked for/, () => ""],
		[/^Is (this where the money should go|the right party debited)/, () => "yes"],
		[/^What is .* in every request of this kind/, ({ choices = [] }) => choices[0]?.value ?? ""],
		[/^Send /, () => true],
	];
	return (asked) => {
		const constant = binding.constants?.find(({ at }) => asked.message === `What is ${at} in every payment of this kind?`);
		if (constant !== undefined) return String(constant.value);
		const found = known.find(([pattern]) => pattern.test(asked.message));
		if (found === undefined) throw new Error(`nobody knows the answer to: ${asked.message}\n${asked.above?.join("\n")}`);
		return found[1](asked);
	};
}

afterEach(removeFolders);

/** What is asked of the payment itself, about a binding that nobody has confirmed and about sending it. */
const ofPayment = /^(Is this where the money should go|Is the right party debited|Send )/;

/** Imports the document, pays between two ledgers, and gives what was asked and what the sandbox then holds. */
async function firstPayment({ name, file }: { name: string; file: string }) {
	const { bindings, faults } = bindingOf(name, "http://127.0.0.1:4010");
	expect(faults).toEqual([]);
	const folder = newFolder();
	let journal: Promise<Journal> | undefined;
	const world = await makeWorld({
		dialect: bindings,
		openJournal: (clock, profile) => {
			journal ??= open(folder, { clock: clock as never, profile, settings: profile.settings });
			return journal;
		},
	});
	// It is nobody's sandbox as far as purser knows, and the profile knows nothing of the service.
	world.identity = undefined;
	const { service: _service, ...profile } = world.profiles.get("sandbox") as Profile;
	world.profiles.set("sandbox", { ...profile, overrides: {} });
	const operation = bindings.operations["transaction.interLedger"] as OperationBinding;
	const person = personOf(operation, `${operation.method ?? "POST"} ${operation.path}`);
	world.files.set(file, readFileSync(documentPath(file)));
	const questions: string[] = [];
	const run = async (...argv: string[]) => {
		const ran = await world.purser(argv, { person, terminal: true });
		questions.push(...world.asked.map(({ message }) => message));
		return ran;
	};
	expect((await run("api", "import", file)).stderr).not.toContain("Internal error");
	const [from, to] = world.sandbox.state.ledgers.filter(({ currency, status }) => currency === "EUR" && status === "ACTIVE");
	const before = world.sandbox.state.transactions.length;
	const parties = ["--from", from?.id as string, "--to", to?.id as string];
	const paid = await run("pay", "ledger", ...parties, "--amount", "0.75", "--reference", "First", "--currency", "EUR");
	expect(paid.exit === 0 ? "sent" : paid.stderr).toBe("sent");
	expect(world.sandbox.state.transactions.slice(before)).toMatchObject([
		{ type: "INTER_LEDGER", fromLedgerId: from?.id, toLedgerId: to?.id, amount: "75", reference: "First" },
	]);
	await (await journal)?.close();
	return questions;
}

describe("from a document to the first right payment", () => {
	it.each(foreign)("$name: at most five questions, and the money goes where it should", async (service) => {
		const questions = await firstPayment(service);
		const imported = questions.filter((question) => !ofPayment.test(question));
		expect(imported.length > 5 ? imported : "at most five").toBe("at most five");
		// Where one operation of theirs is both payments and does not name who is debited, each is asked about; then come the two of the payment.
		expect(questions.length).toBeLessThanOrEqual(service.name === "category" ? 7 : 5);
	});
});
