import assert from 'node:assert/strict';
import { Annotations } from '../../../src/library/annotations.js';
import { scratch as storage, useScratch } from '../scratch.js';

suite('generation › annotations', () => {
	useScratch();
	const [one, other] = [crypto.randomUUID(), crypto.randomUUID()] as const;
	let annotations: Annotations;

	setup(() => {
		annotations = new Annotations(storage);
	});

	test('are none where nothing was decided', async () => {
		const read = await annotations.read();
		assert.deepEqual([read.ofImage(one), read.ofRound(one)], [{}, {}]);
	});

	test('change what is given, and keep the rest', async () => {
		await annotations.setImages([one], { isFavorite: true, note: 'the calm one' });
		await annotations.setImages([one], { title: 'Dusk' });
		await annotations.setImages([other], { isFavorite: true });
		await annotations.setImages([other], { isFavorite: false });
		const read = await annotations.read();
		assert.deepEqual(read.ofImage(one), {
			image: one,
			isFavorite: true,
			note: 'the calm one',
			title: 'Dusk',
		});
		assert.equal(read.ofImage(other).isFavorite, false);
	});

	test('of a round are others than those of another one, and of an image with the same identifier', async () => {
		await annotations.setRound(one, { name: 'Settings page', collapsed: true });
		await annotations.setRound(other, { name: 'Login page' });
		await annotations.setImages([one], { title: 'First' });
		const read = await annotations.read();
		assert.equal(read.ofRound(one).name, 'Settings page');
		assert.equal(read.ofRound(one).collapsed, true);
		assert.equal(read.ofRound(other).name, 'Login page');
		assert.equal(read.ofImage(one).title, 'First');
	});
});
