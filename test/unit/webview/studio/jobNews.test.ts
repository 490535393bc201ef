import assert from 'node:assert/strict';
import type { Job } from '../../../../src/protocol/studio';
import { ImageNews } from '../../../../src/webview/studio/imageNews';
import { nameOf, newsOf } from '../../../../src/webview/studio/jobNews';

const running: Job = {
	id: '1',
	prompt: 'a harbor',
	details: '1024 × 1024',
	ratio: 1,
	state: 'running',
	words: '0:07',
	announcement: 'sending',
	actions: ['cancel'],
};
const failed: Job = { ...running, state: 'failed', announcement: 'The key is wrong.' };

suite('newsOf', () => {
	test('says what is new, not the time that passes', () => {
		assert.deepEqual(newsOf([running], [{ ...running, words: '0:08', progress: 0.5 }]), []);
		assert.deepEqual(newsOf([running], [{ ...running, announcement: 'receiving the image' }]), [
			{ text: 'a harbor: receiving the image', urgent: false },
		]);
		assert.deepEqual(newsOf([], [running]), [{ text: 'a harbor: sending', urgent: false }]);
		assert.deepEqual(newsOf([running], []), []);
	});

	test('what a person has to know at once is urgent', () => {
		assert.deepEqual(newsOf([running], [failed]), [
			{ text: 'a harbor: The key is wrong.', urgent: true },
		]);
		assert.deepEqual(newsOf([running], [{ ...running, state: 'asking' }]), [
			{ text: 'a harbor: sending', urgent: true },
		]);
	});

	test('a long prompt is named by its beginning', () => {
		assert.equal(nameOf('x'.repeat(5000)), `${'x'.repeat(59)}…`);
		assert.equal(nameOf('\n a fox\nin the snow'), 'a fox');
	});
});

suite('ImageNews', () => {
	test('says of each image that was awaited that it is there, once', () => {
		const news = new ImageNews();
		news.watch([running, { ...running, id: '2', prompt: 'a fox' }]);
		news.watch([]);
		assert.deepEqual(news.arrived(['2', 'another']), ['a fox: the image is there.']);
		assert.deepEqual(news.arrived(['1', '2', 'another']), ['a harbor: the image is there.']);
		assert.deepEqual(news.arrived(['1', '2', 'another']), []);
	});

	test('expects nothing of one that failed, until it is sent again', () => {
		const news = new ImageNews();
		news.watch([running]);
		news.watch([failed]);
		assert.deepEqual(news.arrived(['1']), []);
		news.watch([running]);
		assert.deepEqual(news.arrived(['1']), ['a harbor: the image is there.']);
	});
});
