import { expect, test } from "vitest";
import { serviceAddress } from "../../src/api/service-address.js";

test.each([
	["https://api.example.com", "https://api.example.com"],
	["https://API.example.com:443/", "https://api.example.com"],
	["https://api.example.com/bank/", "https://api.example.com/bank"],
	["https://api.example.com/bank/v2", "https://api.example.com/bank/v2"],
])("%s is the service %s", (baseUrl, service) => {
	expect(serviceAddress(baseUrl)).toBe(service);
});
