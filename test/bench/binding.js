// What a payment through a mapping costs beside the same one without: `npm run bench:binding [-- PAYMENTS]` (60 of each, unless given). Two
// servers with ready answers, one as the service is described and one in the words of an enveloped deployment (test/mapping/documents/harbour),
// so that what is measured is the program alone; one payment of each after the other, so that a machine that others use too slows both alike.
// Once with the ledgers' ids, as scripts pay, and once with their names, which reads a list as well. What is told is the median, and that of
// the pairs' differences: of the time that passed, and of the processor time, which counts where the machine is busy with something else.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { environment, folder, from, median, programOf, ran, root, tell, to } from "./parts.js";

const [count = "60"] = process.argv.slice(2);
const purser = (...words) => ran([programOf(root), ...words], { env: environment(folder) });

const theirs = ["acct_00000000000a", "acct_00000000000b"];
/** How the ledgers are named. */
const names = ["Main account", "Savings"];
const ways = { "by id": { described: [from, to], mapped: theirs }, "by name": { described: names, mapped: names } };

const described = names.map(
	(name, at) =>
		`{"id":"${[from, to][at]}","endUserId":"11111111-1111-4111-8111-111111111111","friendlyName":"${name}","status":"ACTIVE","currency":"EUR","totalAmount":10000.00,"availableAmount":10000.00,"reservedAmount":0.00,"iban":"XX00EXAMPLE00000000001"}`,
);
const mapped = names.map(
	(name, at) =>
		`{"id":"${theirs[at]}","business_id":"biz_000000000001","name":"${name}","status":"open","currency":"EUR","balance":1000000,"iban":"XX00EXAMPLE00000000001"}`,
);
/** The answers of each service: for a list, for one ledger, and to a payment. */
const services = {
	described: [
		`{"content":[${described}],"totalElements":2,"page":0,"pageSize":100}`,
		described[0],
		() => `{"id":"${randomUUID()}","status":"PENDING"}`,
	],
	mapped: [
		`{"data":[${mapped}],"page":{"next_cursor":null}}`,
		`{"data":${mapped[0]}}`,
		() => `{"data":{"id":"pay_${randomUUID().slice(-12)}"}}`,
	],
};

for (const [name, [list, one, payment]] of Object.entries(services)) {
	const server = createServer((request, response) => {
		request.resume().on("end", () => {
			const isOne = request.url.includes(from) || request.url.includes(theirs[0]);
			const isPayment = request.method === "POST";
			response.writeHead(isPayment ? 201 : 200, { "content-type": "application/json" }).end(isPayment ? payment() : isOne ? one : list);
		});
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	await purser("profile", "add", name, "--base-url", url, "--environment", "sandbox", "--auth", "none");
}
const [operation, profile] = ["transaction.interLedger", ["--profile", "mapped"]];
await purser("api", "use", `${root}/test/mapping/documents/harbour.mapping.yaml`, ...profile);
const { digest } = JSON.parse((await purser("api", "confirm", operation, "--dry-run", "--json", ...profile)).stdout);
await purser("api", "confirm", operation, "--digest", digest, ...profile);

for (const [way, ledgers] of Object.entries(ways)) {
	const pairs = [];
	for (let number = 0; number < Number(count) + 2; number++) {
		const took = {};
		for (const name of number % 2 === 0 ? ["described", "mapped"] : ["mapped", "described"]) {
			const [main, savings] = ledgers[name];
			const words = ["--from", main, "--to", savings, "--amount", "1.10", "--reference", `Bench ${way} ${number}`];
			took[name] = await purser("pay", "ledger", ...words, "--profile", name, "--yes", "--json");
		}
		// The first ones fill the system's caches.
		if (number >= 2) pairs.push(took);
	}
	for (const [time, told] of [
		["passed", "that passed"],
		["processor", "of the processor"],
	]) {
		const of = (name) => median(pairs.map((one) => one[name][time]));
		const difference = median(pairs.map((one) => one.mapped[time] - one.described[time]));
		tell(
			`${way}, time ${told}: as described ${of("described").toFixed(1)} ms, mapped ${of("mapped").toFixed(1)} ms; ratio ${(of("mapped") / of("described")).toFixed(3)}; the difference of a pair ${difference.toFixed(1)} ms (a payment: at most 3)`,
		);
	}
}
process.exit();
