"""What the page itself says, apart from the questions: its buttons, labels and announcements, in both languages."""

from __future__ import annotations

from courselib.quiz.built import pair
from courselib.text import say

WORDS = {
    # the cover
    "start": say("শুরু করো", "Start"),
    "resume": say("যেখানে ছিলে, সেখান থেকে চালাও", "Go on where you were"),
    "count": say("{0}টি প্রশ্ন। যতবার ইচ্ছা চেষ্টা করো; সবচেয়ে ভালোটিই থাকে।", "{0} questions. Try as often as you like; the best try stays."),
    "graded": say(
        "{0}টি প্রশ্ন, নম্বর দেওয়া হবে। উত্তর দিয়ে শেষে file-টি নামাও আর জমা দাও; ঠিক-ভুল এখানে দেখা যায় না।",
        "{0} questions, marked later. Answer, then download the file at the end and hand it in; nothing is marked here.",
    ),
    "kept": say("তোমার উত্তর শুধু এই browser-এ জমা থাকে।", "Your answers are kept in this browser only."),
    "student": say("তোমার student ID", "Your student ID"),
    "student_help": say("ক্লাসের তালিকায় যেমন লেখা, ঠিক তেমন।", "Exactly as in the class list."),
    "student_missing": say("আগে তোমার student ID লেখো।", "Write your student ID first."),
    # getting about
    "question": say("প্রশ্ন {0} / {1}", "Question {0} of {1}"),
    "points": say("পূর্ণমান {0}", "points: {0}"),
    "no_points": say("নম্বর নেই, ভাবার জন্য", "no points, to think about"),
    "progress": say("{1}টির মধ্যে {0}টি হয়েছে", "{0} of {1} done"),
    "back": say("আগে", "Back"),
    "next": say("পরে", "Next"),
    "finish": say("শেষ করো", "Finish"),
    "all": say("এক নজরে সব প্রশ্ন", "All questions"),
    "buttons": say("চলাচল", "Getting about"),
    # one question
    "check": say("মিলিয়ে দেখো", "Check"),
    "answer": say("তোমার উত্তর", "Your answer"),
    "pick_one": say("একটি বেছে নাও", "Pick one"),
    "pick_some": say("যতগুলো ঠিক, সব বেছে নাও", "Pick all that are right"),
    "pick_dtype": say("dtype বেছে নাও", "choose a dtype"),
    "you_wrote": say("তুমি লিখেছ {0} = {1}", "You wrote {0} = {1}"),
    "your_own": say("নিজের ভাষায় লেখো", "In your own words"),
    "show_model": say("নমুনা উত্তর দেখাও", "Show the model answer"),
    "model": say("নমুনা উত্তর", "Model answer"),
    "rate": say("তোমার উত্তর কেমন হলো?", "How good was yours?"),
    "rate_0": say("0: ধরতে পারিনি", "0: I missed it"),
    "rate_1": say("1: খানিকটা ঠিক", "1: partly there"),
    "rate_2": say("2: মূল কথাগুলো আছে", "2: the main points are there"),
    "rated": say("নিজেকে দিয়েছ {0} / 2।", "You gave yourself {0} of 2."),
    "hint": say("ইঙ্গিত দেখাও ({0} / {1})", "Show a hint ({0} of {1})"),
    "hint_number": say("ইঙ্গিত {0}", "Hint {0}"),
    "show_answer": say("উত্তর দেখাও", "Show the answer"),
    "the_answer": say("উত্তর", "The answer"),
    "after_shown": say("উত্তর দেখার পরের চেষ্টা হিসাবে ধরা হয় না।", "Tries after the answer was shown do not count."),
    "new_numbers": say("নতুন সংখ্যায় আবার", "Again with new numbers"),
    "renewed": say("সংখ্যাগুলো বদলানো হয়েছে।", "The numbers have changed."),
    "tries": say("চেষ্টা {0}", "tries: {0}"),
    "best": say("সবচেয়ে ভালো: {0}", "best: {0}"),
    # an order
    "steps": say("ধাপের ক্রম, উপর থেকে নিচে", "The steps, from top to bottom"),
    "confirm": say("এই ক্রমই আমার উত্তর", "This order is my answer"),
    "up": say("উপরে নাও: {0}", "Move up: {0}"),
    "down": say("নিচে নাও: {0}", "Move down: {0}"),
    "aside": say("সরিয়ে রাখো: {0}", "Set aside: {0}"),
    "put_back": say("ফিরিয়ে আনো: {0}", "Put back: {0}"),
    "tray": say("যা লাগে না", "Not part of it"),
    "tray_empty": say("কোনো ধাপ না লাগলে × চেপে এখানে সরাও।", "Press × to set a step aside that does not belong."),
    "undo": say("আগের অবস্থায়", "Undo"),
    "undone": say("আগের অবস্থায় ফেরা হলো।", "Undone."),
    "moved": say("{0}: এখন {2}-এর মধ্যে {1} নম্বরে", "{0}: now {1} of {2}"),
    "set_aside": say("{0}: সরিয়ে রাখা হলো", "{0}: set aside"),
    "at_end": say("{0}: আর সরে না", "{0}: can go no further"),
    # a graded page
    "noted": say("উত্তর রাখা হয়েছে", "Answer noted"),
    "answered": say("উত্তর আছে", "answered"),
    # the end
    "done": say("এক নজরে", "At a glance"),
    "score": say("{1} নম্বরের মধ্যে {0}", "{0} of {1} points"),
    "first_try": say("প্রথম চেষ্টায় ঠিক: {0}টি", "right at the first try: {0}"),
    "again": say("আবার দেখো", "Look at these again"),
    "open": say("উত্তর বাকি", "Not answered yet"),
    "fine": say("হয়ে গেছে", "Done"),
    "ratings": say("নিজের বিচার", "Your own ratings"),
    "seen": say("উত্তর দেখা হয়েছে", "answer seen"),
    "download": say("উত্তরের file নামাও", "Download the answer file"),
    "hand_in": say("{0} নামে একটি file নামবে; সেটি জমা দাও।", "This saves a file called {0}; hand it in."),
    "file_text": say("File না নামলে এই লেখাটি জমা দাও", "If nothing is saved, hand in this text"),
    "anew": say("সব মুছে আবার শুরু", "Erase all and start again"),
    "sure": say("সত্যিই সব মুছবে? আবার চাপো", "Really erase everything? Press again"),
    "language": say("ভাষা", "Language"),
}


def words() -> dict[str, dict[str, str]]:
    """Return them as plain data, for the page."""
    return {code: pair(text) for code, text in WORDS.items()}
