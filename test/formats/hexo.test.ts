import { testSite } from './siteTests';

// It reads an encoded `#` as none, and builds the page for another path.
testSite('Hexo', { unshown: /(?:block|inline): it's #1/ });
