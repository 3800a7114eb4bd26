// A minimal service for benches: every POST is a transfer that gets an id, every GET one ledger or all. Bare TCP, so that it costs little
// beside what is measured. Prints its port; at SIGTERM, how many transfers it made, and the mean of the milliseconds that it waited.
// Usage: node answering.js [milliseconds before each answer]
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";

const [latency = "0"] = process.argv.slice(2);

const created = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 45\r\n\r\n";
let transfers = 0;
/** How long answers really waited, in milliseconds together, and their number. */
const waited = { time: 0, answers: 0 };

/** One ledger, or the list of those that the benches pay between. */
function ledgers(head) {
	const id = head.split(" ")[1].split("?")[0].split("/").pop();
	const one = (id) => ({ id, status: "ACTIVE", currency: "EUR", availableAmount: 900000000 });
	const content = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"].map(one);
	const body = JSON.stringify(/^[\da-f-]{36}$/.test(id) ? one(id) : { content, totalElements: 2, page: 0, pageSize: 100 });
	return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const answering = (socket) => {
	let waiting = "";
	socket.on("error", () => {});
	socket.on("data", (part) => {
		waiting += part.toString("latin1");
		let out = "";
		for (;;) {
			const end = waiting.indexOf("\r\n\r\n");
			if (end < 0) break;
			const head = waiting.slice(0, end);
			const whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
			if (waiting.length < whole) break;
			waiting = waiting.slice(whole);
			if (head.startsWith("POST")) {
				transfers += 1;
				out += `${created}{"id":"${randomUUID()}"}`;
			} else out += ledgers(head);
		}
		if (out === "") return;
		if (latency === "0") socket.write(out);
		else {
			const since = performance.now();
			setTimeout(() => {
				waited.time += performance.now() - since;
				waited.answers += 1;
				if (socket.writable) socket.write(out);
			}, Number(latency));
		}
	});
};
const server = createServer({ noDelay: true }, answering);
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("SIGTERM", () => {
	process.stdout.write(`${transfers} ${waited.time / waited.answers || 0}\n`);
	process.exit(0);
});
