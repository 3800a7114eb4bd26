import { expect, test } from "vitest";
import { serviceAddress, wasSentTo } from "../../src/api/service-address.js";

test.each([
	["https://api.example.com", "https://api.example.com"],
	["https://API.example.com:443/", "https://api.example.com"],
	["https://api.example.com/bank/", "https://api.example.com/bank"],
	["https://api.example.com/bank/v2", "https://api.example.com/bank/v2"],
])("%s is the service %s", (baseUrl, service) => {
	expect(serviceAddress(baseUrl)).toBe(service);
});

test.each([
	"https://api.example.com/b~nk/v2/",
	"https://API.example.com:443/b%7Enk/v2",
	"https://api.example.com/b%7enk/./v2",
	"https://api.example.com/x/../b~nk/v2//",
])("%s is one service with the others of this list", (baseUrl) => {
	expect(serviceAddress(baseUrl)).toBe("https://api.example.com/b~nk/v2");
});

const service = "https://api.example.com/api/v1";

test.each([
	["its own", { service }, { baseUrl: "https://api.example.com/api/v1/" }, true],
	["another path", { service }, { baseUrl: "https://api.example.com" }, false],
	["a part of its path", { service }, { baseUrl: "https://api.example.com/api" }, false],
	["another host", { service }, { baseUrl: "https://api.example.org/api/v1" }, false],
	["of no known service", { service: undefined }, { baseUrl: service }, false],
	["of this sandbox", { service, sandbox: "one" }, { baseUrl: service, sandbox: "one" }, true],
	["of another sandbox at the same address", { service, sandbox: "one" }, { baseUrl: service, sandbox: "other" }, false],
	["of a sandbox that is not known", { service }, { baseUrl: service, sandbox: "one" }, true],
])("a record: %s", (_, record, use, expected) => {
	expect(wasSentTo(record, use)).toBe(expected);
});
