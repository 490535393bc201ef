import { testSite } from './siteTests';

// It reads an encoded `#` as none, and builds the page for another path.
// It puts the path of the site before links of Markdown alone, even where it stands.
testSite('Hexo', { unfound: /blog|srcset/, unshown: /(?:block|inline): it's #1/ });
