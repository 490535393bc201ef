import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agentJobStates, agentTools } from '../../src/protocol/agents.js';
import { manifest, root } from './manifest.js';

/** Returns the names of all fields, at any depth. */
function fieldsOf(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) {
		return [];
	}
	const own = (schema as { readonly shape?: object }).shape;
	const inner = (schema as { readonly unwrap?: () => unknown }).unwrap?.();
	const names = Object.entries(own ?? {}).flatMap(([name, one]) => [name, ...fieldsOf(one)]);
	return [...names, ...(own === undefined ? fieldsOf(inner) : [])];
}

suite('The skill', () => {
	for (const { path: file } of manifest.contributes.chatSkills) {
		const text = readFileSync(path.join(root, file), 'utf8');

		test(`${file} names tools, fields and states that exist`, () => {
			const tools = Object.entries(agentTools);
			const known = [
				...tools.flatMap(([tool, { schema }]) => [tool, ...fieldsOf(schema)]),
				...agentJobStates,
			];
			// A prefix of tools, an example of a key, and a field of answers.
			const others = ['easel_', 'guide-harbor-map', 'untrusted'];
			const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
			assert.ok(named.length > 10);
			assert.deepEqual(
				named.filter((name) => ![...known, ...others].includes(name)),
				[],
			);
			for (const [tool] of tools) {
				assert.ok(named.includes(tool), `${tool} is not in the skill`);
			}
		});
	}
});
