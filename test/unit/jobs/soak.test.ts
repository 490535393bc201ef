import assert from 'node:assert/strict';
import { isSound, mostlySmall, soak, soakTable } from '../../soak/soak';

/** Of the 2,000 of `npm run test:soak`; each ending is met at least three times. */
const pictures = 200;

suite('pictures from servers that end their answers in every way', () => {
	test('arrive whole, all of them', async function () {
		this.timeout(600_000);
		const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
		console.log(`      seed ${String(seed)}`);
		const rows = await soak({ pictures, seed, sizes: mostlySmall });
		assert.ok(isSound(rows), `EASEL_SEED=${String(seed)}\n${soakTable(rows)}`);
		assert.ok(rows.every(({ received }) => received >= 3));
	});
});
