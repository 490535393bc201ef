import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { freePort, type Certificate } from '../../unit/service/networkFixtures.js';

export interface Nginx {
	/** Without TLS, answers passed on as they come. */
	readonly plainPort: number;
	/** With TLS, answers buffered, the connection closed after each. */
	readonly securePort: number;
	close(): Promise<void>;
}

/** Returns whether nginx is installed; Debian's package `nginx-light` brings it. */
export function hasNginx(): boolean {
	try {
		execFileSync('nginx', ['-v'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

/** Starts nginx in front of a server of this machine. */
export async function startNginx(
	upstreamPort: number,
	certificate: Certificate,
	folder: string,
): Promise<Nginx> {
	const [plainPort, securePort] = [await freePort(), await freePort()];
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, 'key.pem'), certificate.key);
	await writeFile(path.join(folder, 'cert.pem'), certificate.cert);
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((name) => `${name}_temp_path ${folder}/${name};`)
		.join(' ');
	const configuration = path.join(folder, 'nginx.conf');
	await writeFile(
		configuration,
		`daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
	${temporary} access_log off; client_max_body_size 100m;
	proxy_http_version 1.1; proxy_read_timeout 300s;
	server {
		listen 127.0.0.1:${String(plainPort)}; keepalive_timeout 0;
		location / { proxy_pass http://127.0.0.1:${String(upstreamPort)}; proxy_buffering off; }
	}
	server {
		listen 127.0.0.1:${String(securePort)} ssl; keepalive_timeout 0;
		ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
		location / { proxy_pass http://127.0.0.1:${String(upstreamPort)}; }
	}
}
`,
	);
	const child = spawn('nginx', ['-p', folder, '-c', configuration], { stdio: 'ignore' });
	const ended = once(child, 'exit');
	while (!(await answers(plainPort))) {
		if (child.exitCode !== null) {
			throw new Error(`nginx does not start; see ${folder}/error.log.`);
		}
	}
	return {
		plainPort,
		securePort,
		async close() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

async function answers(port: number): Promise<boolean> {
	const socket = net.connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
