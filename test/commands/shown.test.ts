/**
 * Commands that are shown hold other people's text only as a shell reads it.
 */
import { expect, test } from "vitest";
import { answered, makeWorld } from "../support/purser.js";

const one = "11111111-1111-4111-8111-111111111111";

test("the version of the terms that the service names", async () => {
	const world = await makeWorld({ wire: async () => answered(200, '{"version":"2; touch x","downloadUrl":"https://docs.example.com/t"}') });
	const ran = await world.purser(`terms accept ${one} --version 1 --yes --confirmed-by operator --json`);
	expect([ran.exit, ran.error().fix]).toEqual([
		10,
		`Show it with \`purser terms show\`, then run \`purser terms accept ${one} --version '2; touch x'\`.`,
	]);
});
