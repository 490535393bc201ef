import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { callService } from '../../../src/service/client.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { endingNames, endingServer } from './endings.js';
import { certificateFor, type Certificate, type Listening } from './networkFixtures.js';
import { completeIf } from './receive.js';
import { useFolder } from '../scratch.js';

// More pieces than wait to be read.
const image = randomBytes(3_000_000);
const tail = '","revised_prompt":"a harbor"}]}';
const answer = `{"created":1,"data":[{"b64_json":"${image.toString('base64')}${tail}`;

/** Returns whether the answer ends before its JSON; of the others nothing is forgiven. */
const endsEarly = (ending: string) => /before the last|wrong end/.test(ending);

for (const isSecure of [false, true]) {
	suite(`service › client, ${isSecure ? 'with' : 'without'} TLS, has all of an answer`, () => {
		const at = useFolder();
		let certificate: Certificate | undefined;
		let server: Listening;

		suiteSetup(async () => {
			certificate = isSecure ? await certificateFor(['127.0.0.1']) : undefined;
			server = await endingServer(Buffer.from(answer), tail.length - 1, certificate);
		});

		suiteTeardown(() => server.close());

		for (const ending of endingNames(isSecure)) {
			test(ending, async () => {
				const address = `${isSecure ? 'https' : 'http'}://127.0.0.1:${String(server.port)}`;
				const extraCa = certificate === undefined ? [] : [certificate.cert];
				const transport = openTransport(address, defaultNetworkOptions, {}, { extraCa });
				await callService(
					{ prompt: ending, size: 'auto', references: [] },
					{
						...{ key: 'key', transport, file: at('image'), timeoutMs: 20_000 },
						inspect: endsEarly(ending) ? completeIf(image) : () => Promise.resolve('image'),
					},
				);
				assert.ok((await readFile(at('image'))).equals(image));
				assert.deepEqual(await readdir(at()), ['image']);
			});
		}
	});
}
