import { fuzz } from './campaign';
import { fuzzImages } from './fuzz/images';

suite('damaged images', () => {
	test('are read or refused, and nothing else', () => fuzz('images', fuzzImages, 2000));
});
