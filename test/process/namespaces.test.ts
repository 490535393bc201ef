import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { ownerStatus, type LeaseOwner } from '../../src/jobs/processIdentity.js';
import { until } from '../host/until';
import { bundle } from './support.js';

suite('jobs › process identity, in namespaces of its own, as in a container', () => {
	let folder: string;
	const children: ChildProcess[] = [];

	setup(async () => {
		folder = await mkdtemp('/tmp/easel-ns-');
		await mkdir(path.join(folder, 'own'));
	});

	teardown(async () => {
		for (const child of children.splice(0)) {
			child.kill('SIGKILL');
		}
		await rm(folder, { recursive: true });
	});

	/**
	 * Starts an owner whose temporary folder is `own`.
	 *
	 * @param namespaces options of `unshare`
	 * @param isApart whether it sees a folder of its own there
	 */
	async function ownerIn(namespaces: readonly string[], isApart: boolean) {
		const script = await bundle(`import { becomePresent } from './src/jobs/processIdentity.ts';
			becomePresent(() => undefined, { endsBy: new Date(Date.now() + 60000).toISOString(), job: undefined })
				.then(({ owner }) => process.stdout.write(JSON.stringify(owner)));`);
		const own = path.join(folder, 'own');
		const mount = isApart ? 'mount -t tmpfs none "$TMPDIR" && ' : '';
		const command = ['sh', '-c', `${mount}exec "$0" "$@"`, process.execPath, script];
		const child = spawn('unshare', [...namespaces, '--kill-child', ...command], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { ...process.env, TMPDIR: own },
		});
		children.push(child);
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const owner = JSON.parse(text.toString()) as LeaseOwner;
		const end = async () => {
			// Its output ends with the last process of it.
			const closed = once(child, 'close');
			child.kill('SIGKILL');
			await closed;
		};
		return { owner, end };
	}

	const processes = ['--pid', '--fork', '--mount-proc'];

	test('lives, though neither its process nor its socket can be seen: nobody can tell', async () => {
		const { owner, end } = await ownerIn(processes, true);
		assert.equal(await ownerStatus(owner), 'unknown');
		// Earlier versions took it for gone. Their records are read as ever.
		assert.equal(await ownerStatus({ ...owner, pidNamespace: undefined }), 'gone');
		await end();
		assert.equal(await ownerStatus(owner), 'unknown');
		const later = Date.parse(owner.endsBy) + 2 * 60 * 60 * 1000;
		assert.equal(await ownerStatus(owner, undefined, later), 'gone');
	});

	test('is asked by its socket where that can be seen', async () => {
		const { owner, end } = await ownerIn(processes, false);
		assert.equal(await ownerStatus(owner), 'alive');
		await end();
		assert.equal(await ownerStatus(owner), 'gone');
	});

	test('is looked for by its number where only its temporary folder is its own', async () => {
		const { owner, end } = await ownerIn(['--mount', '--fork'], true);
		assert.equal(await ownerStatus(owner), 'unknown');
		await end();
		await until(async () => (await ownerStatus(owner)) === 'gone', 'its end, which is seen');
	});
});
