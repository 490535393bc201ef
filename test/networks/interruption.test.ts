import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Asking, cable as here } from './asking.js';

const run = promisify(execFile);

suite('networks › a network that goes away in the middle of a call', function () {
	this.timeout(120_000);
	/** The worker's network, with a cable to this one. */
	const name = `easel-${String(process.pid)}`;
	const device = `easel${String(process.pid % 1_000_000)}`;
	const there = '10.213.87.2';
	let asking: Asking;

	setup(async () => {
		asking = await Asking.begin();
		await run('ip', ['netns', 'add', name]);
		await run('ip', ['link', 'add', device, 'type', 'veth', 'peer', 'name', 'up0', 'netns', name]);
		await run('ip', ['address', 'add', `${here}/24`, 'dev', device]);
		await run('ip', ['link', 'set', device, 'up']);
		await run('ip', ['-n', name, 'address', 'add', `${there}/24`, 'dev', 'up0']);
		await run('ip', ['-n', name, 'link', 'set', 'up0', 'up']);
	});

	teardown(async () => {
		await asking.end();
		// The cable goes with it.
		await run('ip', ['netns', 'delete', name]);
	});

	test('for 60 s costs nothing: the answer comes when it is back', async () => {
		asking.service.faults.add({ hold: true });
		const program = path.join(asking.folder, 'node');
		const lines = `#!/bin/sh\nexec nsenter --net=/run/netns/${name} '${process.execPath}' "$@"\n`;
		await writeFile(program, lines);
		await chmod(program, 0o755);
		const ending = asking.ask({
			address: `https://${here}:${String(asking.port)}`,
			programs: [program],
		});
		await asking.service.waitForRequest(1, 'held');
		await run('ip', ['-n', name, 'link', 'set', 'up0', 'down']);
		// It is this time that is tested: whether a silence of a minute ends the connection.
		await delay(60_000);
		await run('ip', ['-n', name, 'link', 'set', 'up0', 'up']);
		asking.service.releaseHeld();
		const end = await ending;
		assert.equal(end.state, 'received', JSON.stringify(end));
		assert.ok(existsSync(end.result.file));
		assert.equal(asking.service.requests.length, 1);
	});
});
