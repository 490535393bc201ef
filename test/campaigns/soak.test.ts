import assert from 'node:assert/strict';
import { report, scaled, seed } from './campaign';
import { isSound, soak, soakTable } from './soak/soak';

suite('pictures from servers that end their answers in every way', () => {
	test('arrive whole, all of them', async () => {
		const rows = await soak({ pictures: scaled(200), seed });
		const sum = (pick: 'received' | 'lost') => rows.reduce((total, row) => total + row[pick], 0);
		await report('soak', { runs: sum('received') + sum('lost'), lost: sum('lost') });
		assert.ok(isSound(rows), `EASEL_SEED=${seed}\n${soakTable(rows)}`);
		assert.ok(rows.every(({ received }) => received > 0));
	});
});
