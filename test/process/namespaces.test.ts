import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { livenessOf, type Holder } from '../../src/jobs/holder.js';
import { until } from '../host/until';
import { bundle } from './support.js';

suite('jobs › holder, in namespaces of its own, as in a container', () => {
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
	 * Starts a holder whose temporary folder is `own`.
	 *
	 * @param namespaces options of `unshare`
	 * @param isApart whether it sees a folder of its own there
	 */
	async function holderIn(namespaces: readonly string[], isApart: boolean) {
		const script = await bundle(`import { becomePresent } from './src/jobs/holder.ts';
			becomePresent(() => undefined, { endsBy: new Date(Date.now() + 60000).toISOString(), job: undefined })
				.then(({ holder }) => process.stdout.write(JSON.stringify(holder)));`);
		const own = path.join(folder, 'own');
		const mount = isApart ? 'mount -t tmpfs none "$TMPDIR" && ' : '';
		const command = ['sh', '-c', `${mount}exec "$0" "$@"`, process.execPath, script];
		const child = spawn('unshare', [...namespaces, '--kill-child', ...command], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { ...process.env, TMPDIR: own },
		});
		children.push(child);
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const holder = JSON.parse(text.toString()) as Holder;
		const end = async () => {
			// Its output ends with the last process of it.
			const closed = once(child, 'close');
			child.kill('SIGKILL');
			await closed;
		};
		return { holder, end };
	}

	const processes = ['--pid', '--fork', '--mount-proc'];

	test('lives, though neither its process nor its socket can be seen: nobody can tell', async () => {
		const { holder, end } = await holderIn(processes, true);
		assert.equal(await livenessOf(holder), 'unknown');
		// Earlier versions took it for gone. Their records are read as ever.
		assert.equal(await livenessOf({ ...holder, pidNamespace: undefined }), 'gone');
		await end();
		assert.equal(await livenessOf(holder), 'unknown');
		const later = Date.parse(holder.endsBy) + 2 * 60 * 60 * 1000;
		assert.equal(await livenessOf(holder, undefined, later), 'gone');
	});

	test('is asked by its socket where that can be seen', async () => {
		const { holder, end } = await holderIn(processes, false);
		assert.equal(await livenessOf(holder), 'alive');
		await end();
		assert.equal(await livenessOf(holder), 'gone');
	});

	test('is looked for by its number where only its temporary folder is its own', async () => {
		const { holder, end } = await holderIn(['--mount', '--fork'], true);
		assert.equal(await livenessOf(holder), 'unknown');
		await end();
		await until(async () => (await livenessOf(holder)) === 'gone', 'its end, which is seen');
	});
});
