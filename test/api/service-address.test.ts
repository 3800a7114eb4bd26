import { expect, test } from "vitest";
import { wasSentTo } from "../../src/api/operations/asked-of.js";
import { serviceAddress } from "../../src/api/service-address.js";

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

const corporates = { operation: "corporate.create", origin: "https://api.example.com", path: "/api/v1/api/partner/corporates" };
const related = {
	operation: "related.create",
	origin: "https://api.example.com",
	path: "/api/v1/api/partner/corporates/3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f/related",
};
const replaced = { "corporate.create": { path: "/api/v1/api/partner/corporates" } };

test.each([
	["its own", { ...corporates, service: "https://api.example.com/api/v1" }, "https://api.example.com/api/v1/", {}, true],
	["another path", { ...corporates, service: "https://api.example.com/api/v1" }, "https://api.example.com", {}, false],
	["of an older build", corporates, "https://api.example.com/api/v1", {}, true],
	["of an older build, below", related, "https://api.example.com/api/v1", {}, true],
	["of an older build, another path", corporates, "https://api.example.com", {}, false],
	["of an older build, a part of its path", corporates, "https://api.example.com/api", {}, false],
	["of an older build, another host", corporates, "https://api.example.org/api/v1", {}, false],
	["of an older build, its path replaced", corporates, "https://api.example.com", replaced, true],
	[
		"of an older build, replaced by what is known no more",
		{ ...corporates, path: "/api/v1/new" },
		"https://api.example.com/api/v1",
		{},
		true,
	],
	["of an older build, a row", { ...corporates, path: "/api/partner/x", batch: "1" }, "https://api.example.com/api/v1", {}, true],
	["of an older build, a row, another host", { ...corporates, batch: "1" }, "https://api.example.org/api/v1", {}, false],
])("a record: %s", (_, record, baseUrl, overrides, expected) => {
	expect(wasSentTo(record, { baseUrl, overrides })).toBe(expected);
});
