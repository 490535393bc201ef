import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { until } from '../host/until';
import { connectProxy, freePort, type Certificate } from '../unit/service/networkFixtures.js';

/** Known to the proxies alone: a connection to it has gone through one. */
export const host = 'images.example.com';

export const credentials = { user: 'mary', password: 'se-cret.1' };

export interface ProxyOptions {
	/** True where it wants the credentials. */
	readonly asks?: boolean;
	/** True where it refuses every connection. */
	readonly forbids?: boolean;
	/** Time for which a way may be silent, in seconds; 600 by default. */
	readonly idleSeconds?: number;
	/** It speaks TLS itself, with this one. */
	readonly certificate?: Certificate;
}

export interface RunningProxy {
	/** Its port, on 127.0.0.1 and ::1. */
	readonly port: number;
	close(): Promise<void>;
}

export interface ProxyProgram {
	/** Which program it is, and in place of which. */
	readonly name: string;
	readonly canSpeakTls: boolean;
	/** @param folder of its own; @param port the service's, to which {@link host} leads */
	start(folder: string, port: number, options?: ProxyOptions): Promise<RunningProxy>;
}

/** The proxies that are installed; for each that is not, our own takes its place and says so. */
export function proxyPrograms(): ProxyProgram[] {
	return [orOwn('squid', true, startSquid), orOwn('tinyproxy', false, startTinyproxy)];
}

function orOwn(program: string, canSpeakTls: boolean, start: ProxyProgram['start']): ProxyProgram {
	try {
		const [version = ''] = execFileSync(program, ['-v'], { encoding: 'utf8' }).split('\n');
		return { name: version.replace('Squid Cache: Version', 'squid').trim(), canSpeakTls, start };
	} catch {
		const name = `our own proxy (${program} is not installed)`;
		return { name, canSpeakTls: true, start: startOwn };
	}
}

const listeners = ['127.0.0.1', '::1'];

const startSquid: ProxyProgram['start'] = async (folder, _port, options = {}) => {
	const listening = await freePort();
	await mkdir(folder, { recursive: true });
	// It leaves root for a user of its own, who has to write here.
	await chmod(folder, 0o777);
	await writeFile(path.join(folder, 'hosts'), `127.0.0.1 ${host}\n`);
	await writeFile(path.join(folder, 'cert.pem'), options.certificate?.cert ?? '');
	await writeFile(path.join(folder, 'key.pem'), options.certificate?.key ?? '');
	await writeFile(
		path.join(folder, 'who.sh'),
		`while read user password; do
	[ "$user:$password" = '${credentials.user}:${credentials.password}' ] && echo OK || echo ERR
done
`,
	);
	const idle = `${String(options.idleSeconds ?? 600)} seconds`;
	const configuration = path.join(folder, 'squid.conf');
	await writeFile(
		configuration,
		[
			...listeners.map((name) =>
				options.certificate === undefined
					? `http_port ${bracketed(name)}:${String(listening)}`
					: `https_port ${bracketed(name)}:${String(listening)} tls-cert=${folder}/cert.pem tls-key=${folder}/key.pem`,
			),
			`hosts_file ${folder}/hosts`,
			`pid_filename ${folder}/pid`,
			`access_log stdio:${folder}/access.log`,
			`cache_log ${folder}/cache.log`,
			`coredump_dir ${folder}`,
			'netdb_filename none',
			'pinger_enable off',
			'cache deny all',
			`read_timeout ${idle}`,
			`client_lifetime 1 hour`,
			...(options.asks
				? [
						`auth_param basic program /bin/sh ${folder}/who.sh`,
						'auth_param basic realm the company',
						'acl known proxy_auth REQUIRED',
						'http_access allow known',
					]
				: []),
			`http_access ${options.forbids || options.asks ? 'deny' : 'allow'} all`,
			'',
		].join('\n'),
	);
	return run('squid', ['-N', '-f', configuration], listening, folder);
};

const startTinyproxy: ProxyProgram['start'] = async (folder, port, options = {}) => {
	const listening = await freePort();
	await mkdir(folder, { recursive: true });
	// It asks the system for names alone, so the proxy of the "provider" above it knows this one.
	const above = await connectProxy(port);
	const configuration = path.join(folder, 'tinyproxy.conf');
	await writeFile(
		configuration,
		[
			`Port ${String(listening)}`,
			...listeners.map((name) => `Listen ${name}`),
			`Timeout ${String(options.idleSeconds ?? 600)}`,
			'MaxClients 50',
			`LogFile "${folder}/log"`,
			`Upstream http 127.0.0.1:${String(above.port)}`,
			...(options.asks ? [`BasicAuth ${credentials.user} ${credentials.password}`] : []),
			...(options.forbids ? ['ConnectPort 1'] : []),
			'',
		].join('\n'),
	);
	const running = await run('tinyproxy', ['-d', '-c', configuration], listening, folder);
	return {
		port: running.port,
		async close() {
			await running.close();
			await above.close();
		},
	};
};

async function run(
	program: string,
	words: readonly string[],
	port: number,
	folder: string,
): Promise<RunningProxy> {
	const child = spawn(program, words, { stdio: 'ignore' });
	const ended = once(child, 'exit');
	await until(async () => {
		if (child.exitCode !== null) {
			throw new Error(`${program} does not start; see ${folder}.`);
		}
		return (await Promise.all(listeners.map((name) => answers(name, port)))).every(Boolean);
	}, `${program} to listen`);
	return {
		port,
		async close() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

const startOwn: ProxyProgram['start'] = async (_folder, port, options = {}) => {
	const { user, password } = credentials;
	const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	const proxy = await connectProxy(port, {
		host: '::',
		...(options.certificate === undefined ? {} : { certificate: options.certificate }),
		...(options.asks ? { expected: basic } : {}),
		...(options.forbids ? { status: 403 } : {}),
		...(options.idleSeconds === undefined ? {} : { idleMs: options.idleSeconds * 1000 }),
	});
	return { port: proxy.port, close: () => proxy.close() };
};

function bracketed(name: string): string {
	return name.includes(':') ? `[${name}]` : name;
}

async function answers(name: string, port: number): Promise<boolean> {
	const socket = net.connect(port, name);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
