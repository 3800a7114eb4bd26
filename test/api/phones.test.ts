import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { check } from "../../src/api/check/check.js";
import { Decimal } from "../../src/api/json.js";
import { phone } from "../../src/api/operations/contact.js";
import { askAboutZeros } from "../../src/api/phones.js";
import { describe as shapeOf } from "../../src/api/schema.js";

const france = { countryCode: "33", number: "639980001" };

describe("a phone", () => {
	it.each([
		["+33 6 39 98 00 01", france],
		["0033-6.39.98.00.01", france],
		[{ number: "+33 (639) 980001" }, france],
		[{ countryCode: "33", number: "6 39 98 00 01" }, france],
		[{ countryCode: "33", number: "+33639980001" }, france],
		[
			{ countryCode: "+33", number: "0033 639980001" },
			{ ...france, countryCode: "+33" },
		],
		[{ countryCode: new Decimal("33"), number: new Decimal("639980001") }, france],
		["+1 242 555 0100", { countryCode: "1242", number: "5550100" }],
		["+39 06 555 0100", { countryCode: "39", number: "065550100" }],
	])("%j is split as the service takes it", (typed, data) => {
		expect(check(phone(), typed)).toEqual({ data, faults: [], warnings: [] });
	});

	const zero = "begins with a 0 that is only dialled within the country; write +44 2079460000";
	it.each([
		["0639980001", "", "must be written like +33 639980001"],
		["+44 (0)20 7946 0000", "number", zero],
		[{ countryCode: "44", number: "020 7946 0000" }, "number", zero],
		[{ countryCode: "44", number: "+33 639980001" }, "number", "must be 1 to 14 digits after the dialling code, like +33 639980001"],
		["+999 1234", "", "must be written like +33 639980001"],
		[{ countryCode: "33", number: "call me" }, "number", "must be 1 to 14 digits after the dialling code, like +33 639980001"],
	])("%j is refused", (typed, field, message) => {
		expect(check(phone(), typed).faults).toContainEqual({ field, message });
	});

	it("its 0 for calls within the country is asked about once for all, and goes at a Yes alone", async () => {
		const shape = shapeOf(z.strictObject({ list: z.array(z.strictObject({ phone: phone() })) }));
		const input = () => ({
			list: [{ phone: "+33 06 39 98 00 01" }, { phone: france }, { phone: { countryCode: "44", number: "07700900001" } }],
		});
		const [kept, mended] = [input(), input()];
		const asked: string[] = [];
		const answering = (answer: boolean) => ({
			prompts: async () => ({ confirm: async ({ message }: { message: string }) => asked.push(message) > 0 && answer }),
		});
		await askAboutZeros(shape, [kept], answering(false));
		await askAboutZeros(shape, [mended], answering(true));
		expect(asked.slice(1)).toEqual([
			"The 0 before these numbers is only dialled within the country: 0639980001 (as +33 639980001), 07700900001 (as +44 7700900001). Leave it out?",
		]);
		expect(kept).toEqual(input());
		expect(mended.list.map(({ phone }) => phone)).toEqual([france, france, { countryCode: "44", number: "7700900001" }]);
	});
});
