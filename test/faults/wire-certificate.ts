/**
 * A self-signed certificate for a test, made on the spot: Node can read them but not make them.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

/** A key and a certificate for `host`, good for an hour, that signs itself and may be named as an authority. */
export function selfSigned(host: string): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const algorithm = sequence(oid("2a8648ce3d040302"));
	const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(host)))));
	const now = Date.now();
	const validity = sequence(time(new Date(now - 3_600_000)), time(new Date(now + 3_600_000)));
	const names = sequence(der(0x82, Buffer.from(host)));
	const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));
	const extensions = der(0xa3, sequence(extension("551d13", sequence(der(0x01, Buffer.from([255])))), extension("551d11", names)));
	const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
	const version = der(0xa0, der(0x02, Buffer.from([2])));
	const spki = publicKey.export({ type: "spki", format: "der" });
	const content = sequence(version, der(0x02, serial), algorithm, name, validity, name, spki, extensions);
	const signature = sign("sha256", content, privateKey);
	const whole = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
	const lines = whole.toString("base64").match(/.{1,64}/g) as string[];
	return {
		key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
	};
}
