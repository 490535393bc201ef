/**
 * Returns true for an alt text that does not say what its image shows, such as "Screenshot", for a
 * name that a system or a tool has given, and for an empty one.
 */
export function isGenericAlt(alt: string): boolean {
	const text = alt.trim().slice(0, 200);
	return genericAlt.test(text) || givenName.test(text) || placeholderAlt.test(text);
}

const genericAlt =
	/^(?:(?:an? |the |my |your |some )?(?:alt(?:ernat(?:e|ive))?[ -]?text|alt|image|img|picture|pic|photo|figure|fig|screen[ -]?shots?|screen[ -]?capture|diagram|description|caption|title|logo|icon|placeholder|enter image description here|insert image here)(?: (?:alt|here|description|text|\d+))?|[\p{N}\p{P}\p{S}\s]*|\S+\.(?:png|jpe?g|webp|gif|svg|avif))$/iu;

/** Words of tools and templates where an author was to write. */
const placeholderAlt =
	/^(?:alt[-_ ]?text|image[-_ ]?alt|null|none|nil|undefined|n\/?a|todo|tbd|fixme|xxx+|lorem ipsum.{0,40}|untitled|unnamed|unbenannt|sans titre|sin t[ií]tulo|senza titolo|sem t[ií]tulo|naamloos|namnl[oö]s|без имени|無題|未命名|제목 없음)(?:[-_ ]?\d{1,3})?[.:!]?$/iu;

/** Names of pictures of the screen, as systems in many languages and tools give them. */
const screenNames = [
	...['screen[-_ ]?shot', 'screen recording', 'screen[-_ ]?capture', 'cleanshot', 'shottr'],
	...['flameshot', 'greenshot', 'lightshot', 'monosnap', 'bildschirm(?:foto|aufnahme)'],
	...[
		"capture d['’]écran",
		'captura de (?:pantalla|tela|ecrã)',
		'captura de pantalla',
		'schermata',
	],
	...['istantanea schermo', 'scherm(?:afbeelding|afdruk|opname)', 'skärm(?:avbild|bild|dump)'],
	...['skjermbilde', 'skærmbillede', 'näyttökuva', 'zrzut ekranu', 'snímek obrazovky'],
	...['képernyő(?:kép|fotó)', 'captură de ecran', 'ekran (?:resmi|görüntüsü|alıntısı)'],
	...['снимок экрана', 'скриншот', 'знімок екрана', 'στιγμιότυπο οθόνης'],
	...[
		'スクリーンショット',
		'(?:屏幕|螢幕)(?:截图|快照|擷取畫面|截圖)',
		'截[屏图圖]',
		'스크린샷',
		'לכידת מסך',
	],
	...['لقطة (?:ال)?شاشة', 'ภาพหน้าจอ', 'ảnh chụp màn hình', 'tangkapan layar'],
];
/** Names of pictures of cameras, chats, editors and the clipboard, which have a number. */
const fileNames = [
	...['ima?g', 'image', 'dsc[fn]?', 'pxl', 'photo', 'picture', 'foto', 'bild', 'imagen', 'imagem'],
	...[
		'immagine',
		'afbeelding',
		'obraz',
		'pasted[-_ ](?:image|graphic)',
		'clip(?:board)?[-_ ]?image',
	],
	...['snag(?:it)?', 'whatsapp image', 'signal', 'fig(?:ure)?', 'abbildung', 'scan', 'attachment'],
	...['图片', '圖片', '图像', '画像', '이미지', 'изображение', 'рисунок'],
];
/** A number, or a date and a time, with short words of any language between them. */
const numbers = [
	String.raw`(?:[\s_-]{0,3}(?:\p{L}{1,5}\.?[\s_-]{0,2})?[(]?\d[\d.,:_()@/-]{0,30}){1,6}`,
	String.raw`(?:\s?[ap]\.?\s?m\.?)?(?:@\dx)?(?:_\w{1,40})?`,
].join('');
const givenName = new RegExp(
	`^(?:(?:${screenNames.join('|')})(?:${numbers})?|(?:${fileNames.join('|')})${numbers})$`,
	'iu',
);
