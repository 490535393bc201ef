// The MCP server: a process that a client starts, which passes calls on to a window.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from './server.js';

const { values } = parseArgs({
	options: {
		/** Folder in which windows leave their notes. */
		windows: { type: 'string' },
		/** The folder to work for; without it, the one that the server is started in. */
		workspace: { type: 'string' },
	},
});
if (values.windows === undefined) {
	throw new Error('Start this with the configuration that Easel: Copy MCP Configuration gives.');
}
serve({
	folder: path.resolve(values.windows),
	workspace: path.resolve(values.workspace ?? '.'),
	isExact: values.workspace !== undefined,
	maxWaitMs: 20_000,
	maxStartMs: 10_000,
	progressEveryMs: 10_000,
	version: process.env['EASEL_VERSION'] ?? '0.0.0',
});
