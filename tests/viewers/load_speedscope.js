// Loads a trace in speedscope, a real viewer, in a headless Chromium, and
// writes what the viewer understood: its own file form, as it saves it.
//
//     node load_speedscope.js MODULES CHROMIUM TRACE SAVED
//
// MODULES is a node_modules folder with speedscope and playwright-core. The
// viewer is served on localhost; nothing else is asked of a network.
'use strict';

const fs = require('fs');
const http = require('http');
const path = require('path');

const [modules, chromium, trace, saved] = process.argv.slice(2);
const site = path.join(modules, 'speedscope', 'dist', 'release');
const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

function serve(request, response) {
    const name = path.basename(new URL(request.url, 'http://localhost').pathname) || 'index.html';
    const file = path.join(site, name);

    if (!fs.existsSync(file)) {
        response.writeHead(404).end();
        return;
    }
    response.writeHead(200, { 'Content-Type': kinds[path.extname(file)] || 'application/octet-stream' });
    fs.createReadStream(file).pipe(response);
}

async function load(address) {
    const { chromium: browsers } = require(path.join(modules, 'playwright-core'));
    const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] });

    try {
        const page = await browser.newPage({ acceptDownloads: true });
        const complaints = [];
        page.on('console', (message) => {
            // What the graphics driver says of itself is not the viewer's.
            if (message.type() === 'warning' && !message.text().includes('GL Driver Message'))
                complaints.push(message.text());
        });
        page.on('pageerror', (error) => complaints.push(String(error)));
        page.on('dialog', (dialog) => {
            complaints.push(dialog.message());
            dialog.dismiss();
        });
        await page.goto(address);
        await page.setInputFiles('input[type=file]', trace);
        // The title becomes that of the profile when it is there.
        await page.waitForFunction(() => document.title !== 'speedscope', null, { timeout: 120000 });
        const download = page.waitForEvent('download', { timeout: 120000 });
        await page.keyboard.press('Control+s');
        await (await download).saveAs(saved);
        if (complaints.length > 0)
            throw new Error('the viewer says: ' + complaints.join('; '));
    } finally {
        await browser.close();
    }
}

const server = http.createServer(serve);
server.listen(0, '127.0.0.1', async () => {
    try {
        await load(`http://127.0.0.1:${server.address().port}/`);
    } catch (error) {
        console.error(error.message);
        process.exitCode = 1;
    }
    server.close();
});
