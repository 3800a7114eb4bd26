import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Service, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const clear = "\u0015";
const interrupt = "\u0003";
const down = "\u001b[B";

describe("onboard start in a terminal", () => {
	it("forward, back, wrong answers, Ctrl-C and resume with nothing asked twice, then everything is declared", async ({ expect }) => {
		const state = join(service.folder, "state-wizard");
		const env = { ...service.env, PURSER_STATE_DIR: state };
		const file = join(service.folder, "tty.yaml");
		const first = programTerminal(["onboard", "start"], env);
		await first.sees("purser onboard resume");
		await first.sees("Step 1 of 8");
		await first.sees("Has the account owner seen");
		first.type("\r");
		await first.sees("Step 2 of 8");
		await first.sees("(for example a CRM id)");
		first.type("\r");
		await first.sees("Is required");
		first.answer("crm-wrong");
		await first.sees("Official name");
		first.answer("<");
		await first.sees("(for example a CRM id)");
		first.type(clear);
		await first.sees("(crm-wrong)");
		first.answer("crm-tty");
		await first.sees("Official name");
		first.answer("Example Terminal GmbH");
		await first.sees("Country of registration");
		// Enter takes nothing of a long list that nobody chose from.
		await first.sees("Type a part of the name, or choose with the arrow keys");
		first.type("\r");
		await new Promise((resolve) => setTimeout(resolve, 200));
		first.type("germ");
		await first.sees("Germany  DEU");
		first.type(interrupt);
		expect(await first.exit).toBe(130);
		expect(first.screen).toContain("Continue with `purser onboard resume example-terminal-gmbh`");
		const drafts = join(state, "onboarding-drafts", "sandbox");
		const [draft] = (await readdir(drafts)) as [string];
		expect((await stat(drafts)).mode & 0o777).toBe(0o700);
		expect((await stat(join(drafts, draft))).mode & 0o777).toBe(0o600);
		expect(await readFile(join(drafts, draft), "utf8")).toContain("Example Terminal GmbH");

		const second = programTerminal(["onboard", "resume"], env);
		await second.sees("Resuming Example Terminal GmbH (3 answers saved).");
		await second.sees("Country of registration");
		expect(second.screen).not.toContain("Official name");
		second.type("germ");
		await second.sees("Germany  DEU");
		second.type("\r");
		await second.sees("Official incorporation code");
		second.answer("HRB 1");
		await second.sees("Date of incorporation");
		second.answer("2023-02-30");
		await second.sees("Is not a valid date");
		second.type(clear);
		second.answer("2023-02-28");
		await second.sees("Industry");
		second.type("taxi");
		await second.sees("❯ transport taxi");
		second.type("\r");
		await second.sees(/The company: registered address\s+\? Country/);
		second.type("\r");
		for (const label of ["City", "Postal code", "Street", "House number"]) {
			await second.sees(`${label} (optional)`);
			second.answer("");
		}
		for (const label of ["Range of monthly expenses", "Currency of the range"]) {
			await second.sees(label);
			second.type("\r");
		}
		await second.sees("Give optional details of the company");
		second.type("\r");
		for (const [label, answer] of [
			["First name", "Ada"],
			["Last name", "Terminal"],
			["Email", "ada@example.com"],
			["Position", "CEO"],
		] as const) {
			await second.sees(`${label}`);
			second.answer(answer);
		}
		for (const label of ["a director", "Add phone", "ultimate beneficial owner", "Give optional details of the account owner"]) {
			await second.sees(label);
			second.type("\r");
		}
		await second.sees("Shares of the company");
		second.answer("100");
		for (const label of ["email verification link", "Declare a company", "Declare a person"]) {
			await second.sees(label);
			second.type("\r");
		}
		await second.sees("case file to");
		second.type(clear);
		second.answer(file);
		await second.sees("Is everything correct?");
		second.type(interrupt);
		expect(await second.exit).toBe(130);

		const review = programTerminal(["onboard", "resume"], env);
		// Typed before the question stood there, Enter is no answer to it.
		review.type("\r\r");
		await review.sees("Is everything correct?");
		await review.sees("Send it now");
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(review.screen).not.toContain("✔ Is everything correct?");
		review.type("\r");
		await review.sees("Step 3 of 8: The account owner's email");
		await review.sees("it has not been opened yet");
		await review.sees("Step 5 of 8");
		await review.sees("Request the KYB from the compliance team");
		review.type(interrupt);
		expect(await review.exit).toBe(130);

		const third = programTerminal(["onboard", "resume"], env);
		await third.sees("Request the KYB from the compliance team");
		expect(third.screen).not.toMatch(/Is everything correct|Declare a person/);
		third.type("\r");
		await third.sees("Create the KYC links");
		third.type(down);
		third.type("\r");
		await third.sees("no phone number was given");
		await third.sees(`purser onboard apply ${file} --send-email-link --request-kyb`);
		// Nobody is a director: the KYB waits for a person, and everything else is done.
		expect(await third.exit).toBe(10);
		expect(third.screen.replace(/\s+/g, " ")).toContain("--despite no-director --reason TEXT");
		expect(await readdir(drafts)).toEqual([]);
		const listed = await service.purser(["corporate", "list", "--json"], { env: { PURSER_STATE_DIR: state } });
		expect(listed.stdout.match(/"crm-tty"/g)).toHaveLength(1);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	}, 180_000);
});
