/**
 * Leaves out the words at the end of a text that was cut which promise one that is gone: "a harbor
 * with two" becomes "a harbor". English function words and numbers; words of other languages stay.
 * Where the last hundred words are such words alone, they stay as they are.
 *
 * @param words of the text that was cut, in their order
 */
export function withoutDanglingWords(words: readonly string[]): readonly string[] {
	const end = words.slice(-maxWords);
	const last = end.findLastIndex((word) => !isDangling(word));
	return last < 0 ? words : words.slice(0, words.length - end.length + last + 1);
}

function isDangling(word: string): boolean {
	if (word.length > maxWordLength) {
		return false;
	}
	const letters = word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
	return letters === '' || /^\d+$/.test(letters) || functionWords.has(letters);
}

const maxWords = 100;
/** No function word is as long, in UTF-16 code units; nor is a number that stands for a count. */
const maxWordLength = 40;

const functionWords: ReadonlySet<string> = new Set(
	[
		'a an the this that these those its his her their our my your whose',
		'some any each every no not all both several many few other another more most less very',
		'and or nor but so yet as than if while when where which who because',
		'about above across after against along among around at before behind below beneath beside',
		'between beyond by down during for from in inside into like near of off on onto out outside',
		'over past per through to toward towards under until up upon via with within without',
		'is are was were be been being am has have had having does do did can will would should',
		'one two three four five six seven eight nine ten eleven twelve hundred thousand',
	]
		.join(' ')
		.split(' '),
);
