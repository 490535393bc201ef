import assert from 'node:assert/strict';
import { isGenericAlt } from '../../../src/images/genericAlt.js';

suite('isGenericAlt', () => {
	test('is what does not say what an image shows', () => {
		for (const alt of [
			'',
			'img',
			'Image',
			'alt text',
			'Screenshot 3',
			'a.png',
			'1.',
			'The diagram',
		]) {
			assert.ok(isGenericAlt(alt), alt);
		}
		for (const alt of [
			...['A harbor', 'Screenshot of the settings', 'Bild eines Hafens', 'Image 3 boats'],
			...['Figure 2: the flow', 'Screenshot 3 of the settings', 'Null pointers in a heap'],
			...['Foto 3 einer Brücke', 'None of the three is lit', '3D model', 'Todo list'],
		]) {
			assert.ok(!isGenericAlt(alt), alt);
		}
	});

	test('is a name that a system or a tool has given, in any language', () => {
		for (const alt of [
			...['Screenshot 2026-11-20 at 9.41.07 PM', 'Screenshot 2026-11-20 at 9.41.07\u202fPM'],
			...['Bildschirmfoto 2026-11-20 um 09.41.07', 'Bildschirmfoto vom 2026-11-20 09-41-07'],
			...['Capture d’écran 2026-11-20 à 09.41.07', "Capture d'écran du 2026-11-20 09-41-07"],
			...['Captura de pantalla 2026-11-20 094107', 'Captura de Tela 2026-11-20 às 09.41.07'],
			...['Schermata 2026-11-20 alle 09.41.07', 'Schermafbeelding 2026-11-20 om 09.41.07'],
			...['Skärmavbild 2026-11-20 kl. 09.41.07', 'Zrzut ekranu 2026-11-20 o 09.41.07'],
			...['Снимок экрана 2026-11-20 в 09.41.07', 'スクリーンショット 2026-11-20 9.41.07'],
			...[
				'截屏2026-11-20 上午9.41.07',
				'屏幕截图 2026-11-20 094107',
				'스크린샷 2026-11-20 오전 9.41.07',
			],
			...['Screenshot from 2026-11-20 09-41-07', 'Screenshot (24)', 'Screenshot_20261120-094107'],
			...['Screenshot_20261120-094107_Chrome', 'CleanShot 2026-11-20 at 09.41.07@2x'],
			...['Pasted image 20261120094107', 'image-1', 'image (24)', 'image-20261120094107123'],
			...['IMG_1234', 'DSC_0001', 'PXL_20261120_094107123', 'SNAG-0001', 'clip_image001'],
			...['WhatsApp Image 2026-11-20 at 09.41.07', 'Bild 3', 'Figure 3', '图片 1', '画像1'],
			...['Untitled', 'Unbenannt', 'alt_text', 'null', 'undefined', 'TODO', 'N/A', 'TBD'],
		]) {
			assert.ok(isGenericAlt(alt), alt);
		}
	});
});
