// What the detector of doc/examples is compared with, computed by onnxruntime-node.
//
//     node reference_onnxruntime.js MODEL RECORDING
//
// A probability per frame of 512 samples, heard with the 64 before it, as the
// package @ricky0123/vad-web does. The recording is s16 at 16 kHz. The files in
// this folder were made with onnxruntime-node 1.30.0.
const fs = require('fs');
const ort = require('onnxruntime-node');

async function main(model, recording) {
    const bytes = fs.readFileSync(recording);
    const samples = Float32Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i) / 32768);
    const session = await ort.InferenceSession.create(model);
    const sr = new ort.Tensor('int64', [16000n]);
    let state = new ort.Tensor('float32', new Float32Array(256), [2, 1, 128]);
    let context = new Float32Array(64);

    for (let begin = 0; begin + 512 <= samples.length; begin += 512) {
        const frame = samples.slice(begin, begin + 512);
        const heard = new Float32Array(576);
        heard.set(context, 0);
        heard.set(frame, 64);
        context = frame.slice(-64);
        const out = await session.run({ input: new ort.Tensor('float32', heard, [1, 576]), state, sr });
        state = out.stateN;
        console.log(out.output.data[0].toFixed(7));
    }
}

main(process.argv[2], process.argv[3]).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
